import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { watchHosts } from '../../src/features/hosts/watch-hosts.ts';
import { RuntimeFault } from '../../src/runtime/runtime-fault.ts';
import { assertSettled, holdings } from '../bench/leftovers.ts';
import { LocalBench } from '../bench/local-bench.ts';
import { endsOnTerm, shell } from '../contract/runtime/scripts.ts';
import { containerWith, everything, little } from '../sagas/containers.ts';

const noon = '2026-03-01T12:00:00Z';
const show = (bench: LocalBench, uuid: string) => bench.ask('GET', `/v1/containers/${uuid}`);

/** Requests that may be refused. */
async function statusOf(bench: LocalBench, as: 'admin' | 'demo', method: 'POST' | 'DELETE' | 'PUT', url: string, json?: object) {
  const headers = { 'x-auth-token': as, 'openstack-api-version': 'container 1.40' };
  const answer = await bench.core.server.inject({ method, url, headers, ...(json ? { payload: json } : {}) });
  return answer.statusCode;
}

/** A host that other processes look after, and whose engine none of them reaches. */
class LostHost {
  readonly bench: LocalBench;
  readonly told: { level: string; line: object; words: string }[] = [];
  readonly touched: string[] = [];
  readonly #ended = new AbortController();
  readonly #watching: Promise<void>;

  static async open(canAsk = false): Promise<LostHost> {
    return new LostHost(await LocalBench.open(), canAsk);
  }

  private constructor(bench: LocalBench, canAsk: boolean) {
    this.bench = bench;
    const tell = (level: string) => (line: object, words: string) => void this.told.push({ level, line, words });
    this.#watching = watchHosts({
      database: bench.database,
      clock: bench.clock,
      logger: { debug: tell('debug'), info: tell('info'), warn: tell('warn'), error: tell('error') } as never,
      downTimeSeconds: 180,
      canAsk: () => canAsk,
      touch: (uuid) => void this.touched.push(uuid),
      signal: this.#ended.signal,
    });
  }

  /** Minutes go by without a sign of life. */
  async isSilent(minutes = 7): Promise<void> {
    for (let quarter = 0; quarter < 4 * minutes; quarter += 1) await this.bench.pass(15_000);
  }

  async comesBack(): Promise<void> {
    await this.bench.report();
    await this.bench.pass(15_000);
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await this.#watching;
  }
}

/** The engine of the host does not answer. */
const away = {
  before: (call: string) => {
    if (call.startsWith('runtime.')) throw new RuntimeFault('unreachable', 'bench does not answer');
  },
};

describe('a lost host', () => {
  test('makes its containers Unknown, with which host, since when and what to do; nothing else changes anywhere', async () => {
    const host = await LostHost.open();
    const { bench } = host;
    const running = await containerWith(bench, everything);
    const created = await containerWith(bench, little, false);
    const failed = await containerWith(bench, { ...little, command: ['nosuchcommand'] });
    const reason = (await show(bench, failed)).status_reason;
    const before = { held: await holdings(bench), workloads: (await bench.runtime.list()).map(({ uuid, state }) => [uuid, state.status]) };
    bench.watch = away;
    await host.isSilent();
    for (const [uuid, was] of [
      [running, 'Running'],
      [created, 'Created'],
    ] as const) {
      const { status, status_reason, status_detail, task_state } = await show(bench, uuid);
      assert.deepEqual([status, status_detail, task_state], ['Unknown', `Was ${was}`, null]);
      assert.ok(String(status_reason).startsWith(`Host bench has not reported since ${noon.slice(0, 14)}`), String(status_reason));
      assert.match(String(status_reason), /left as they are.*create it anew; an administrator can delete it by force/);
    }
    assert.deepEqual([(await show(bench, failed)).status, (await show(bench, failed)).status_reason], ['Error', reason]);
    bench.watch = {};
    const now = { held: await holdings(bench), workloads: (await bench.runtime.list()).map(({ uuid, state }) => [uuid, state.status]) };
    assert.deepEqual(now, before);
    await host.end();
  });

  test('is told to the operator once, with how much is there, and so is its return', async () => {
    const host = await LostHost.open();
    for (let count = 0; count < 3; count += 1) await containerWith(host.bench, little);
    await host.isSilent(20);
    const [lost, ...more] = host.told;
    assert.deepEqual(more, []);
    assert.ok(lost);
    assert.equal(lost.level, 'warn');
    assert.deepEqual(lost.line, { host: 'bench', since: (lost.line as { since: string }).since, placed: 3 });
    assert.match(lost.words, /Nothing moves by itself/);
    await host.comesBack();
    assert.deepEqual([host.told.length, host.told[1]?.level], [2, 'info']);
    await host.end();
  });

  test('takes capsules along, with what is in them', async () => {
    const host = await LostHost.open();
    const { bench } = host;
    await bench.networking.createNetwork({ neutronNetId: 'zun' });
    const containers = [endsOnTerm(0), shell('exit 0')].map((command) => ({
      image: 'busybox',
      command,
      resources: { requests: { cpu: 0.2, memory: 64 } },
    }));
    const template = { capsuleVersion: 'beta', kind: 'capsule', metadata: { name: 'web' }, spec: { restartPolicy: 'Never', containers } };
    const { uuid } = await bench.ask('POST', '/v1/capsules', { template });
    await bench.runTasks();
    const seen = async () => {
      const capsule = await bench.ask('GET', `/v1/capsules/${uuid}`);
      return [capsule.status, ...(capsule.containers as { status: string }[]).map(({ status }) => status)];
    };
    const before = await seen();
    assert.equal(before[0], 'Running');
    await host.isSilent();
    assert.deepEqual(await seen(), ['Unknown', 'Unknown', 'Unknown']);
    assert.match(String((await bench.ask('GET', `/v1/capsules/${uuid}`)).status_reason), /^Host bench has not reported since/);
    await host.comesBack();
    const sync = bench.core.startSync();
    await sync.firstListing;
    await bench.pass(1_000);
    assert.deepEqual((await seen())[0], 'Running');
    await sync.stop();
    await host.end();
  });

  test('leaves a container alone that a task works on', async () => {
    const host = await LostHost.open();
    const { bench } = host;
    const uuid = await containerWith(bench, little);
    await bench.ask('POST', `/v1/containers/${uuid}/stop?timeout=5`);
    await host.isSilent();
    const { status, task_state } = await show(bench, uuid);
    assert.deepEqual([status, task_state], ['Running', 'container_stopping']);
    await host.end();
  });

  test('is back with its next report: rows are in line with the engine again though nothing changed there', async () => {
    const host = await LostHost.open();
    const { bench } = host;
    const [running, stopped] = [await containerWith(bench, little), await containerWith(bench, little)];
    await bench.ask('POST', `/v1/containers/${stopped}/stop?timeout=5`);
    await bench.runTasks();
    const before = [await show(bench, running), await show(bench, stopped)].map(({ status, status_reason }) => [status, status_reason]);
    await host.isSilent();
    assert.equal((await show(bench, running)).status, 'Unknown');
    await host.comesBack();
    // Its own sync, which starts with it.
    const sync = bench.core.startSync();
    await sync.firstListing;
    await bench.pass(1_000);
    assert.deepEqual(
      [await show(bench, running), await show(bench, stopped)].map(({ status, status_reason }) => [status, status_reason]),
      before,
    );
    await sync.stop();
    await assertSettled(bench);
    await host.end();
  });

  test('that comes back without a container heals what auto_heal promised to heal, once, and only what ran', async () => {
    const host = await LostHost.open();
    const { bench } = host;
    const healed = await containerWith(bench, { ...little, auto_heal: true });
    const plain = await containerWith(bench, little);
    await host.isSilent();
    for (const uuid of [healed, plain]) await bench.runtime.remove(uuid);
    assert.deepEqual((await holdings(bench)).tasks, []);
    await host.comesBack();
    const sync = bench.core.startSync();
    await sync.firstListing;
    await bench.pass(1_000);
    await bench.runTasks();
    assert.equal((await show(bench, healed)).status, 'Running');
    assert.deepEqual([(await show(bench, plain)).status, (await bench.runtime.list()).map(({ uuid }) => uuid)], ['Error', [healed]]);
    await sync.stop();
    await host.end();
  });

  test('recording surprise 18, a delete on a lost node is a 500: a user is refused, a forced one ends in Error with the reason while the engine is away, and can be asked again', async () => {
    const host = await LostHost.open();
    const { bench } = host;
    const uuid = await containerWith(bench, everything);
    await host.isSilent();
    bench.watch = away;
    assert.equal(await statusOf(bench, 'admin', 'DELETE', `/v1/containers/${uuid}`), 409);
    const asked = bench.clock.now();
    assert.equal(await statusOf(bench, 'admin', 'DELETE', `/v1/containers/${uuid}?force=true`), 204);
    await bench.runTasks();
    assert.ok(bench.clock.now() - asked <= 600_000, 'within its deadline');
    const { status, status_reason, task_state } = await show(bench, uuid);
    assert.deepEqual([status, status_reason, task_state], ['Error', 'bench does not answer', null]);
    bench.watch = {};
    assert.equal((await bench.runtime.list()).length, 1, 'what runs there runs on');
    // In Error the user may ask as well.
    assert.equal(await statusOf(bench, 'admin', 'DELETE', `/v1/containers/${uuid}`), 204);
    await bench.runTasks();
    for (const [kind, left] of Object.entries(await holdings(bench))) assert.deepEqual(left, [], kind);
    await host.end();
  });

  test('whose runtime can be asked from here is asked, and believed: a node agent that is gone makes nothing Unknown', async () => {
    const host = await LostHost.open(true);
    const uuid = await containerWith(host.bench, little);
    await host.isSilent();
    assert.equal((await show(host.bench, uuid)).status, 'Running');
    assert.deepEqual(host.touched, [uuid]);
    await host.comesBack();
    assert.deepEqual(host.touched, [uuid, uuid]);
    await host.end();
  });
});

test('a host that is declared down is Unknown within a minute, whatever its engine says, and back when that is taken back', async () => {
  const bench = await LocalBench.open();
  const uuid = await containerWith(bench, little);
  const sync = bench.core.startSync();
  const declare = (down: boolean) =>
    statusOf(bench, 'admin', 'PUT', '/v1/services/force_down', { host: 'bench', binary: 'zun-compute', forced_down: down });
  assert.equal(await declare(true), 200);
  for (let looks = 0; looks < 3; looks += 1) await bench.pass(15_000);
  const seen = await show(bench, uuid);
  assert.equal(seen.status, 'Unknown');
  assert.match(String(seen.status_reason), /^Host bench was declared down by an administrator\./);
  for (let minute = 0; minute < 3; minute += 1) await bench.pass(60_000);
  sync.touch(uuid);
  await bench.pass(1_000);
  assert.equal((await show(bench, uuid)).status, 'Unknown', 'its engine runs it, and is not believed');
  await bench.report();
  assert.equal(await declare(false), 200);
  await bench.pass(15_000);
  await bench.pass(1_000);
  assert.deepEqual([(await show(bench, uuid)).status, (await show(bench, uuid)).status_reason], ['Running', null]);
  await sync.stop();
});
