import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { eventually } from './eventually.ts';
import type { FixtureSource } from './runtime-fixture.ts';
import { deaf, endsOnTerm, endsWith, shell } from './scripts.ts';
import { refused, specOf, withCreated, withStarted } from './workload.ts';

/** Create, start, stop, restart, remove: what they do, and that each may be repeated. */
export function lifecycleTests(fixture: FixtureSource): void {
  test('a created workload is seen as created, never started', async () => {
    await withCreated(fixture(), { exposedPorts: ['80/tcp', '53/udp'] }, async (workload) => {
      const seen = await workload.inspect();
      assert.equal(seen.uuid, workload.uuid);
      assert.notEqual(seen.engineId, '');
      assert.equal(seen.state.status, 'created');
      assert.equal(seen.state.startedAt, null);
      assert.equal(seen.state.finishedAt, null);
      assert.equal(seen.state.error, '');
      assert.equal(seen.state.oomKilled, false);
      assert.equal(seen.state.health, null);
      assert.deepEqual(
        seen.ports.toSorted((a, b) => a - b),
        [53, 80],
      );
    });
  });

  test('a workload the engine does not have is seen as null', async () => {
    assert.equal(await fixture().runtime.inspect(randomUUID()), null);
  });

  test('a started workload runs since about now', async () => {
    await withStarted(fixture(), {}, async (workload) => {
      const state = await workload.until('running');
      assert.ok(state.startedAt !== null && state.startedAt > 1_600_000_000_000, `started at ${state.startedAt}`);
    });
  });

  test('creating what exists changes nothing and succeeds', async () => {
    const { runtime } = fixture();
    await withCreated(fixture(), {}, async (workload) => {
      const before = await workload.inspect();
      await runtime.create(workload.spec);
      assert.equal((await workload.inspect()).engineId, before.engineId);
    });
  });

  test('starting what runs succeeds and leaves it running', async () => {
    await withStarted(fixture(), {}, async (workload) => {
      const before = await workload.until('running');
      await fixture().runtime.start(workload.uuid);
      assert.deepEqual((await workload.state()).startedAt, before.startedAt);
    });
  });

  test('stop ends with the code the workload chose and keeps its logs and files', async () => {
    const { runtime } = fixture();
    await withStarted(fixture(), { command: endsOnTerm(7) }, async (workload) => {
      await workload.untilLogged('ready');
      await runtime.exec(workload.uuid, shell('echo kept > /kept'), 10_000);
      await runtime.stop(workload.uuid, 10);
      const state = await workload.until('exited');
      assert.equal(state.exitCode, 7);
      assert.ok(state.finishedAt !== null && state.startedAt !== null && state.finishedAt >= state.startedAt);
      assert.match(await workload.logs(), /ready/);
      if (fixture().keepsFiles === false) return;
      await runtime.getArchive(workload.uuid, '/kept');
      await runtime.start(workload.uuid);
      await workload.until('running');
      assert.equal((await runtime.exec(workload.uuid, ['cat', '/kept'], 10_000)).output.toString(), 'kept\n');
    });
  });

  test('stop kills what ignores its signal, once the grace period is over', async () => {
    await withStarted(fixture(), { command: deaf }, async (workload) => {
      await workload.untilLogged('ready');
      await fixture().runtime.stop(workload.uuid, 1);
      assert.equal((await workload.until('exited')).exitCode, 137);
    });
  });

  test('stopping what ended, or never started, succeeds', async () => {
    const { runtime } = fixture();
    await withCreated(fixture(), { command: endsWith(0) }, async (workload) => {
      await runtime.stop(workload.uuid, 1);
      await runtime.start(workload.uuid);
      await workload.until('exited');
      await runtime.stop(workload.uuid, 1);
      await runtime.stop(workload.uuid, 1);
      assert.equal((await workload.state()).exitCode, 0);
    });
  });

  test('a workload that ends by itself is seen as exited with its code', async () => {
    await withStarted(fixture(), { command: endsWith(3) }, async (workload) => {
      assert.equal((await workload.until('exited')).exitCode, 3);
    });
  });

  test('restart runs the workload anew, from running and from stopped', async () => {
    const { runtime, keepsLogs = true } = fixture();
    const ready = (runs: number) => 'ready\n'.repeat(keepsLogs ? runs : 1);
    await withStarted(fixture(), { command: endsOnTerm(0) }, async (workload) => {
      await workload.untilLogged(ready(1));
      const first = await workload.until('running');
      await runtime.restart(workload.uuid, 10);
      const second = await workload.until('running');
      assert.notEqual(second.startedAt, first.startedAt);
      await workload.untilLogged(ready(2));
      await runtime.stop(workload.uuid, 10);
      await runtime.restart(workload.uuid, 10);
      await workload.until('running');
      await workload.untilLogged(ready(3));
      await runtime.stop(workload.uuid, 10);
    });
  });

  test('remove ends what runs, leaves nothing, and may be repeated', async () => {
    const { runtime, leftovers } = fixture();
    await withStarted(fixture(), {}, async (workload) => {
      await runtime.remove(workload.uuid);
      assert.equal(await runtime.inspect(workload.uuid), null);
      await runtime.remove(workload.uuid);
      if (leftovers) assert.deepEqual(await leftovers(workload.uuid), []);
    });
  });

  test('removing what never was succeeds', async () => {
    await fixture().runtime.remove(randomUUID());
  });

  test('calls on a workload that is not there are refused as not-found', async () => {
    const { runtime } = fixture();
    const uuid = randomUUID();
    await refused(runtime.start(uuid), 'not-found');
    await refused(runtime.stop(uuid, 1), 'not-found');
    await refused(runtime.restart(uuid, 1), 'not-found');
    await refused(runtime.kill(uuid, 'SIGTERM'), 'not-found');
    await refused(runtime.pause(uuid), 'not-found');
    await refused(runtime.update(uuid, { cpu: 1 }), 'not-found');
    await refused(runtime.logs(uuid, { stdout: true, stderr: true, timestamps: false, tail: 'all', since: 0 }), 'not-found');
    await refused(runtime.exec(uuid, ['echo'], 1_000), 'not-found');
    await refused(runtime.top(uuid, null), 'not-found');
    await refused(runtime.stats(uuid), 'not-found');
    await refused(runtime.getArchive(uuid, '/'), 'not-found');
  });

  test('a workload of an image that there is not is not created, or not started where the start brings images', async () => {
    const { runtime, missing } = fixture();
    const image = `${missing.repository}:${missing.tag}`;
    for (const policy of ['always', 'never'] as const) {
      const spec = specOf(fixture(), { image, imagePull: { policy, credentials: null } });
      try {
        if (runtime.pullsAtStart) await runtime.create(spec);
        await refused(runtime.pullsAtStart ? runtime.start(spec.uuid) : runtime.create(spec), 'not-found');
        assert.equal((await runtime.inspect(spec.uuid))?.state.status, runtime.pullsAtStart ? 'created' : undefined);
      } finally {
        await runtime.remove(spec.uuid);
      }
    }
  });

  test('a command that does not exist fails the start with words that name it, and can be removed', async () => {
    await withCreated(fixture(), { command: ['no-such-program'] }, async (workload) => {
      await assert.rejects(fixture().runtime.start(workload.uuid), /no-such-program/);
      const state = await eventually('not running', workload.state, (now) => now.status !== 'running');
      assert.ok(state.status === 'created' || state.status === 'exited', state.status);
    });
  });

  test('the listing shows our workloads as inspect shows them, and no longer when removed', async () => {
    const { runtime } = fixture();
    await withStarted(fixture(), {}, async (workload) => {
      await workload.until('running');
      const listed = (await runtime.list()).filter((seen) => seen.uuid === workload.uuid);
      assert.deepEqual(listed, [await workload.inspect()]);
      await runtime.remove(workload.uuid);
      assert.ok((await runtime.list()).every((seen) => seen.uuid !== workload.uuid));
    });
  });

  test('node facts are of this machine', async () => {
    const facts = await fixture().runtime.describeNode();
    assert.ok(facts.cpus >= 1 && facts.memoryTotalMiB > 0 && facts.diskTotalGiB > 0, JSON.stringify(facts));
    assert.notEqual(facts.hostname, '');
    assert.equal(facts.osType, 'linux');
    assert.ok(facts.containers.total >= facts.containers.running);
  });
}
