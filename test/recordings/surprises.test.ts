import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reconcileCapsule } from '../../src/features/capsules/reconcile-capsule.ts';
import { RuntimeFault } from '../../src/runtime/runtime-fault.ts';
import { assertSettled, holdings } from '../bench/leftovers.ts';
import { LocalBench } from '../bench/local-bench.ts';
import { endsOnTerm, shell, stubborn } from '../contract/runtime/scripts.ts';
import { containerWith, everything, little } from '../sagas/containers.ts';

/**
 * The faults among the surprises of `contract/recordings`, by their numbers, each with what is done instead. 1 and 10 are in
 * `src/sync/container-status.test.ts`, 17 in `src/features/images`; 2, 8 and 9 and more of 1 and 4 are in `test/sagas/surprises.test.ts`.
 * `docs/decisions/leaks-and-hangs.md` says which test is for which.
 */

interface Answer {
  status: number;
  body: string;
  json: Record<string, unknown>;
}

async function answerOf(
  bench: LocalBench,
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  url: string,
  json?: unknown,
): Promise<Answer> {
  const answer = await bench.core.server.inject({
    method,
    url,
    headers: {
      'x-auth-token': 'admin',
      'openstack-api-version': 'container 1.40',
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(json === undefined ? {} : { payload: JSON.stringify(json) }),
  });
  return { status: answer.statusCode, body: answer.body, json: answer.body === '' ? {} : JSON.parse(answer.body) };
}

const show = (bench: LocalBench, uuid: string) => bench.ask('GET', `/v1/containers/${uuid}`);

/** A row in Error that holds nothing beside itself, and is gone after its delete. */
async function assertNothingHeld(bench: LocalBench, uuid: string): Promise<void> {
  assert.equal((await show(bench, uuid)).status, 'Error');
  const { containers, ...beside } = await holdings(bench);
  assert.deepEqual(containers, [uuid]);
  for (const [kind, held] of Object.entries(beside)) assert.deepEqual(held, [], kind);
  await bench.ask('DELETE', `/v1/containers/${uuid}`);
  await bench.runTasks();
  assert.deepEqual((await holdings(bench)).containers, []);
}

for (const call of ['runtime.create', 'networking.createPort', 'volumes.attach'])
  test(`recording surprise 3, a create that fails keeps port and allocation for ever: nothing is held after ${call} failed`, async () => {
    const bench = await LocalBench.open();
    bench.watch = {
      before: (made) => {
        if (made === call) throw new RuntimeFault('failed', 'it does not');
      },
    };
    await assertNothingHeld(bench, await containerWith(bench, everything));
  });

test('recording surprise 3, a forced delete while Creating leaves the port: it leaves nothing', async () => {
  const bench = await LocalBench.open();
  await bench.networking.createNetwork({ neutronNetId: 'zun' });
  const { uuid } = await bench.ask('POST', '/v1/containers', everything);
  await bench.ask('DELETE', `/v1/containers/${uuid}?force=true`);
  await bench.runTasks();
  for (const [kind, held] of Object.entries(await holdings(bench))) assert.deepEqual(held, [], kind);
});

test('recording surprise 4, cpu_policy dedicated stays Creating for ever: it is refused with a reason, and nothing is held', async () => {
  const bench = await LocalBench.open();
  const { status, body } = await answerOf(bench, 'POST', '/v1/containers', { ...little, cpu: 1, cpu_policy: 'dedicated' });
  assert.equal(status, 409, body);
  assert.deepEqual((await holdings(bench)).containers, []);
});

test('recording surprise 5, a missing image fails with a format character: the reason is the registry’s', async () => {
  const bench = await LocalBench.open();
  const uuid = await containerWith(bench, { ...little, image: '127.0.0.1:5000/nosuchimage' });
  const { status_reason } = await show(bench, uuid);
  assert.match(String(status_reason), /nosuchimage/);
  assert.doesNotMatch(String(status_reason), /format character/);
  await assertNothingHeld(bench, uuid);
});

test('recording surprise 7, a container that is being deleted says Error or nothing: it says so until it is gone', async () => {
  const bench = await LocalBench.open();
  const uuid = await containerWith(bench, little);
  await bench.ask('DELETE', `/v1/containers/${uuid}?stop=true`);
  const seen = new Set<string>();
  const look = async () => {
    const row = await bench.database.queries.selectFrom('container').selectAll().where('uuid', '=', uuid).executeTakeFirst();
    seen.add(row ? `${row.status} ${row.task_state}` : 'gone');
  };
  await look();
  bench.watch = { before: look };
  await bench.runTasks();
  await look();
  assert.deepEqual([...seen], ['Running container_stopping', 'Deleting container_deleting', 'gone']);
});

test('recording surprise 11, containers of a capsule are never looked at again: ended ones are Stopped, and the capsule with them', async () => {
  const bench = await LocalBench.open();
  const uuid = await capsuleOf(bench, [shell('exit 0'), shell('exit 3')], 'Never');
  await reconcileCapsule(bench.core.services, uuid, new AbortController().signal);
  const { status, containers } = await bench.ask('GET', `/v1/capsules/${uuid}`);
  assert.deepEqual([status, (containers as { status: string }[]).map((member) => member.status)], ['Stopped', ['Stopped', 'Stopped']]);
});

test('recording surprise 11, a failed capsule keeps its pause container, port and allocation: it leaves only its rows', async () => {
  const bench = await LocalBench.open();
  const uuid = await capsuleOf(bench, [endsOnTerm(0), ['nosuchcommand']]);
  assert.equal((await bench.ask('GET', `/v1/capsules/${uuid}`)).status, 'Error');
  const { workloads, ports, allocations } = await holdings(bench);
  assert.deepEqual([workloads, ports, allocations], [[], [], []]);
});

test('recording surprise 11, a failed init container does not stop the start of the others: nothing else is made', async () => {
  const bench = await LocalBench.open();
  await bench.networking.createNetwork({ neutronNetId: 'zun' });
  const made: string[] = [];
  bench.watch = { before: (call) => void (call === 'runtime.create' && made.push(call)) };
  const container = (command: string[]) => ({ image: 'busybox', command, resources: { requests: { cpu: 0.2, memory: 64 } } });
  const spec = { restartPolicy: 'Never', initContainers: [container(shell('exit 7'))], containers: [container(endsOnTerm(0))] };
  const { uuid } = await bench.ask('POST', '/v1/capsules', {
    template: { capsuleVersion: 'beta', kind: 'capsule', metadata: { name: 'web' }, spec },
  });
  await bench.runTasks();
  assert.equal(made.length, 2, 'the sandbox and the init container');
  const { status, status_reason } = await bench.ask('GET', `/v1/capsules/${uuid}`);
  assert.equal(status, 'Error');
  assert.match(String(status_reason), /ended with exit code 7/);
});

test('recording surprise 11, a delete stops the containers of a capsule one after another, 10 s each: it stops all at a time', async () => {
  const bench = await LocalBench.open();
  const uuid = await capsuleOf(bench, [stubborn, stubborn, stubborn]);
  const asked = bench.clock.now();
  await bench.ask('DELETE', `/v1/capsules/${uuid}`);
  await bench.runTasks();
  assert.ok(bench.clock.now() - asked < 20_000, `${bench.clock.now() - asked} ms`);
  for (const [kind, held] of Object.entries(await holdings(bench))) assert.deepEqual(held, [], kind);
});

test('recording surprise 12, limits that are changed leave the allocation: it goes along, and what the node lacks is refused', async () => {
  const bench = await LocalBench.open();
  const uuid = await containerWith(bench, { ...little, cpu: 1 });
  await bench.ask('PATCH', `/v1/containers/${uuid}`, { cpu: 2, memory: '96' });
  const claim = await bench.database.queries.selectFrom('openkeel_local_allocation').selectAll().executeTakeFirstOrThrow();
  assert.deepEqual([claim.vcpu, claim.memory_mb], [2, 96]);
  const { status, body } = await answerOf(bench, 'PATCH', `/v1/containers/${uuid}`, { cpu: 16 });
  assert.equal(status, 409, body);
  assert.equal((await show(bench, uuid)).cpu, 2);
  await assertSettled(bench);
});

for (const [what, command, status, exitCode] of [
  ['broken quoting is a 500', "sh -c 'oops", 400, null],
  ['a missing command is a 500', null, 400, null],
  ['output that is not UTF-8 is a 500 after a minute', "printf '\\377\\376ok'", 200, 0],
] as const)
  test(`recording surprise 13, ${what}: it is a ${status}`, async () => {
    const bench = await LocalBench.open();
    const uuid = await containerWith(bench, little);
    const query = command === null ? '' : `?${new URLSearchParams({ command })}`;
    const answer = await answerOf(bench, 'POST', `/v1/containers/${uuid}/execute${query}`);
    assert.equal(answer.status, status, answer.body);
    if (exitCode !== null) assert.equal(answer.json.exit_code, exitCode);
  });

for (const [what, method, action, json, status] of [
  ['a path that is not there', 'GET', 'get_archive?path=/nope', undefined, 404],
  ['no path', 'GET', 'get_archive', undefined, 400],
  ['data that is no tar', 'POST', 'put_archive?path=/etc', { data: Buffer.alloc(1024, 'x').toString('base64') }, 400],
  ['no data', 'POST', 'put_archive?path=/etc', {}, 400],
  ['data that is not base64', 'POST', 'put_archive?path=/etc', { data: '***' }, 400],
  ['neither stream', 'GET', 'logs?stdout=false&stderr=false', undefined, 400],
  ['bad ps arguments', 'GET', 'top?ps_args=kflgjdk', undefined, 400],
] as const)
  test(`recording surprise 14, ${what} is a 500, or passes: it is a ${status} with the reason`, async () => {
    const bench = await LocalBench.open();
    const uuid = await containerWith(bench, little);
    const answer = await answerOf(bench, method, `/v1/containers/${uuid}/${action}`, json);
    assert.equal(answer.status, status, answer.body);
    const { errors } = answer.json as { errors: { detail: string }[] };
    assert.ok(errors[0]?.detail, 'a reason');
  });

test('recording surprise 15, errors carry the node’s traceback and a code that ends in -remote: they carry a sentence', async () => {
  const bench = await LocalBench.open();
  const uuid = await containerWith(bench, little);
  await bench.runtime.remove(uuid);
  const { status, body, json } = await answerOf(bench, 'GET', `/v1/containers/${uuid}/logs`);
  const { errors } = json as { errors: { code: string; title: string }[] };
  assert.ok(status >= 400 && status < 500, body);
  assert.doesNotMatch(body, /-remote|Traceback|\n\s+at /);
  assert.match(String(errors[0]?.title), /^[A-Z][^\n]*$/);
});

test('recording surprise 18, with the node forced down logs and delete are a 500: they work, since nothing here is down', async () => {
  const bench = await LocalBench.open();
  const uuid = await containerWith(bench, little);
  const down = { host: 'bench', binary: 'zun-compute', forced_down: true };
  assert.equal((await answerOf(bench, 'PUT', '/v1/services/force_down', down)).status, 200);
  assert.equal((await answerOf(bench, 'GET', `/v1/containers/${uuid}/logs`)).status, 200);
  assert.equal((await answerOf(bench, 'DELETE', `/v1/containers/${uuid}?stop=true`)).status, 204);
  await bench.runTasks();
  for (const [kind, held] of Object.entries(await holdings(bench))) assert.deepEqual(held, [], kind);
});

test('recording surprise 21, a commit under a bad name is accepted: it is a 400', async () => {
  const bench = await LocalBench.open();
  const uuid = await containerWith(bench, little);
  const { status, body } = await answerOf(bench, 'POST', `/v1/containers/${uuid}/commit?repository=Rec%20Bad`);
  assert.equal(status, 400, body);
});

async function capsuleOf(bench: LocalBench, commands: string[][], restartPolicy = 'Always'): Promise<string> {
  await bench.networking.createNetwork({ neutronNetId: 'zun' });
  const containers = commands.map((command) => ({ image: 'busybox', command, resources: { requests: { cpu: 0.2, memory: 64 } } }));
  const template = { capsuleVersion: 'beta', kind: 'capsule', metadata: { name: 'web' }, spec: { restartPolicy, containers } };
  const { uuid } = await bench.ask('POST', '/v1/capsules', { template });
  await bench.runTasks();
  return String(uuid);
}
