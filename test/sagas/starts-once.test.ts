import assert from 'node:assert/strict';
import { test } from 'node:test';
import { containerByUuid } from '../../src/features/containers/container-store.ts';
import { reconcileContainer } from '../../src/features/containers/reconcile-container.ts';
import { LocalBench } from '../bench/local-bench.ts';
import { endsOnTerm, endsWith } from '../contract/runtime/scripts.ts';
import { containerWith, little } from './containers.ts';

/** The worker dies when the engine has done this call, before it hears of it; the work is asked for, and done by another worker. */
async function diesAfter(bench: LocalBench, call: string, ask: () => Promise<unknown>): Promise<string[]> {
  const calls: string[] = [];
  const reached = Promise.withResolvers<void>();
  bench.watch = {
    before: (made) => void calls.push(made),
    after: (made) => {
      if (made !== call) return undefined;
      reached.resolve();
      return new Promise(() => {});
    },
  };
  await ask();
  void bench.runOne();
  await reached.promise;
  bench.abandon();
  bench.watch = { before: (made) => void calls.push(made) };
  // A second is as exactly as rows tell of a start.
  await bench.clock.advance(2_000);
  await bench.outwaitLease();
  await bench.runTasks();
  bench.watch = {};
  return calls.filter((made) => made === 'runtime.start' || made === 'runtime.restart');
}

const show = (bench: LocalBench, uuid: string) => bench.ask('GET', `/v1/containers/${uuid}`);

/** One that runs, or, of a command that ends, one that has; the row says so. */
async function settled(bench: LocalBench, command: string[]): Promise<string> {
  const uuid = await containerWith(bench, { ...little, command });
  await bench.clock.advance(5_000);
  await reconcileContainer(bench.core.services, uuid, new AbortController().signal);
  return uuid;
}

for (const [name, command, status] of [
  ['ends at once', endsWith(0), 'Stopped'],
  ['goes on', endsOnTerm(0), 'Running'],
] as const)
  test(`a create whose worker dies once the container runs does not run it again: one that ${name}`, async () => {
    const bench = await LocalBench.open();
    await bench.networking.createNetwork({ neutronNetId: 'zun' });
    let uuid = '';
    const ask = async () => {
      uuid = String((await bench.ask('POST', '/v1/containers?run=true', { ...little, command })).uuid);
    };
    assert.deepEqual(await diesAfter(bench, 'runtime.start', ask), ['runtime.start']);
    assert.equal((await show(bench, uuid)).status, status);
    await bench.database.close();
  });

for (const [action, call, command, status] of [
  ['start', 'runtime.start', endsWith(0), 'Stopped'],
  ['reboot', 'runtime.restart', endsOnTerm(0), 'Running'],
  ['rebuild', 'runtime.start', endsOnTerm(0), 'Running'],
] as const)
  test(`a ${action} whose worker dies once the container runs does not run it again`, async () => {
    const bench = await LocalBench.open();
    const uuid = await settled(bench, command);
    assert.deepEqual(await diesAfter(bench, call, () => bench.ask('POST', `/v1/containers/${uuid}/${action}`)), [call]);
    assert.equal((await show(bench, uuid)).status, status);
    await bench.database.close();
  });

test('a start whose worker dies before the engine is asked runs the container', async () => {
  const bench = await LocalBench.open();
  const uuid = await settled(bench, endsWith(0));
  const reached = Promise.withResolvers<void>();
  bench.watch = {
    before: (made) => {
      if (made !== 'runtime.start') return undefined;
      reached.resolve();
      return new Promise(() => {});
    },
  };
  await bench.ask('POST', `/v1/containers/${uuid}/start`);
  void bench.runOne();
  await reached.promise;
  bench.abandon();
  const { startedAt } = (await containerByUuid(bench.database.queries, uuid)) ?? assert.fail();
  // Such a start is told since when what runs is its own: the runtime may hear late of what its nodes do.
  const told: unknown[] = [];
  const start = bench.runtime.start.bind(bench.runtime);
  bench.runtime.start = (subject, signal, ...since: unknown[]) => {
    told.push(...since);
    return start(subject, signal);
  };
  bench.watch = {};
  await bench.outwaitLease();
  await bench.runTasks();
  assert.deepEqual(told, [startedAt]);
  await bench.database.close();
});
