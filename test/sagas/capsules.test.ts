import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeadlineSeconds } from '../../src/features/capsules/sagas/create.ts';
import { capsuleKinds, templateOf } from '../bench/capsule-bench.ts';
import { holdings } from '../bench/leftovers.ts';
import { LocalBench } from '../bench/local-bench.ts';
import type { CapsuleKind } from '../contract/runtime-contract.ts';

const template = templateOf({
  initContainers: [{ image: 'busybox', command: ['true'] }],
  containers: [
    { image: 'busybox', command: ['sleep', '1000'], volumeMounts: [{ name: 'data', mountPath: '/data' }] },
    { image: 'nginx', command: ['sleep', '1000'] },
  ],
  volumes: [{ name: 'data', cinder: { size: 1, autoRemove: true } }],
});

/** A capsule whose create is queued, or one that runs and whose delete is. */
async function asked(bench: LocalBench, kind: 'create' | 'delete'): Promise<string> {
  await bench.report();
  const { uuid } = (await bench.ask('POST', '/v1/capsules', { template })) as { uuid: string };
  if (kind === 'delete') {
    await bench.runTasks();
    await bench.ask('DELETE', `/v1/capsules/${uuid}`);
  }
  return uuid;
}

const rowOf = (bench: LocalBench, uuid: string) =>
  bench.database.queries.selectFrom('container').select(['status', 'status_reason']).where('uuid', '=', uuid).executeTakeFirst();
const isOwn = (call: string): boolean => call.startsWith('database.') || call.startsWith('inventory.');

/** The outside calls of one undisturbed run. */
async function callsOf(kind: 'create' | 'delete', capsules: CapsuleKind): Promise<string[]> {
  const bench = await LocalBench.open({ capsules });
  const calls: string[] = [];
  await asked(bench, kind);
  bench.watch = { before: (call) => void (isOwn(call) || calls.push(call)) };
  await bench.runTasks();
  await bench.database.close();
  return calls;
}

const ways = capsuleKinds.flatMap((own) => (['create', 'delete'] as const).map((kind) => [own, kind] as const));
for (const [capsules, kind] of ways) {
  test(`capsule.${kind}, capsules ${capsules}: when a call never comes back, and no later one either, the capsule is in Error with a reason in bounded time`, async () => {
    const calls = await callsOf(kind, capsules);
    assert.ok(calls.length > 5, calls.join(' '));
    for (const [index, call] of calls.entries()) {
      const bench = await LocalBench.open({ capsules });
      const uuid = await asked(bench, kind);
      let at = -1;
      bench.watch = {
        before(made) {
          if (isOwn(made)) return undefined;
          at += 1;
          return at >= index ? new Promise(() => {}) : undefined;
        },
      };
      const began = bench.clock.now();
      const worker = bench.core.startWorker('bench');
      // What brings an image takes as long as its task may.
      const bringsImage = ['images.pull', 'images.load', ...(capsules === 'as one' ? ['runtime.start'] : [])].includes(call);
      const limit = (bringsImage ? createDeadlineSeconds(1) * 1000 : 75_000) + 75_000;
      while ((await rowOf(bench, uuid))?.status !== 'Error') {
        assert.ok(bench.clock.now() - began <= limit, `${index} ${call}: nothing said after ${(bench.clock.now() - began) / 1000} s`);
        await bench.pass(bringsImage ? 30_000 : 2_000);
      }
      assert.match(String((await rowOf(bench, uuid))?.status_reason), /did not answer within \d+ seconds|^Timed out at step '/, call);
      bench.watch = {};
      await bench.whileTimePasses(worker.stop(0));
      await bench.outwaitLease();
      await bench.runTasks();
      await bench.ask('DELETE', `/v1/capsules/${uuid}`);
      await bench.runTasks();
      for (const [what, left] of Object.entries(await holdings(bench))) assert.deepEqual(left, [], `${call}: ${what} after the delete`);
      await bench.database.close();
    }
  });
}

for (const [capsules, kind] of ways) {
  test(`capsule.${kind}, capsules ${capsules}: the worker dies after each call, and another ends the work`, async () => {
    const bench = await LocalBench.open({ capsules });
    let died = true;
    for (let index = 0; died; index += 1) {
      const uuid = await asked(bench, kind);
      died = await diesAfter(bench, index);
      if (died) await bench.outwaitLease();
      await bench.runTasks();
      const row = await rowOf(bench, uuid);
      assert.equal(row?.status, kind === 'create' ? 'Running' : undefined, `after call ${index}: ${row?.status_reason}`);
      if (row) await bench.ask('DELETE', `/v1/capsules/${uuid}`);
      await bench.runTasks();
      for (const [what, left] of Object.entries(await holdings(bench)))
        assert.deepEqual(left, [], `call ${index}: ${what} after the delete`);
    }
    await bench.database.close();
  });
}

/** Runs the task until the answer of the outside call of that number, which never comes; `false` when there are not so many. */
async function diesAfter(bench: LocalBench, index: number): Promise<boolean> {
  const reached = Promise.withResolvers<true>();
  let at = -1;
  bench.watch = {
    after(made) {
      if (isOwn(made)) return undefined;
      at += 1;
      if (at !== index) return undefined;
      bench.watch = {};
      reached.resolve(true);
      return new Promise(() => {});
    },
  };
  const died = await Promise.race([reached.promise, bench.runOne().then(() => false)]);
  if (died) bench.abandon();
  bench.watch = {};
  return died;
}
