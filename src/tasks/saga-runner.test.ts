import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TaskBench, taskBench } from '../../test/bench/task-bench.ts';
import { RuntimeFault } from '../runtime/runtime-fault.ts';
import { silentLogger } from '../telemetry/logger.ts';
import { KeepWhatIsDone } from './keep-what-is-done.ts';
import type { Saga } from './saga.ts';
import { type Interruption, runSaga } from './saga-runner.ts';

/** A saga of three steps that notes what it does, and fails where it is told. */
function noted(notes: string[], failAt: number | null, error: Error = new RuntimeFault('failed', 'the engine said no')): Saga {
  return {
    kind: 'test',
    deadlineSeconds: 60,
    steps: [0, 1, 2].map((index) => ({
      name: `step ${index}`,
      async run() {
        notes.push(`run ${index}`);
        if (failAt === index) throw error;
      },
      async undo() {
        notes.push(`undo ${index}`);
      },
    })),
    succeeded: async () => void notes.push('succeeded'),
    failed: async (_queries, _context, reason) => void notes.push(`failed: ${reason}`),
  };
}

async function claimed(bench: TaskBench) {
  await bench.store.enqueue(bench.database.queries, {
    kind: 'test',
    subject: 'a',
    projectId: 'p',
    requestId: null,
    actionId: null,
    payload: {},
    deadline: bench.clock.now() + 600_000,
  });
  return reclaimed(bench);
}

async function reclaimed(bench: TaskBench) {
  const task = await bench.store.claim('w');
  assert.ok(task);
  return task;
}

const run = (bench: TaskBench, saga: Saga, task: Awaited<ReturnType<typeof claimed>>, signal = new AbortController().signal) =>
  runSaga({ ...bench, logger: silentLogger }, saga, task, signal);

const remaining = async (bench: TaskBench) => (await bench.database.queries.selectFrom('openkeel_task').selectAll().execute()).length;

test('steps run in order and the task is gone afterwards', async () => {
  const bench = await taskBench();
  const notes: string[] = [];
  assert.equal(await run(bench, noted(notes, null), await claimed(bench)), 'ended');
  assert.deepEqual(notes, ['run 0', 'run 1', 'run 2', 'succeeded']);
  assert.equal(await remaining(bench), 0);
});

test('a step that fails is undone with those before it, last first, and the reason is the words of the engine', async () => {
  const bench = await taskBench();
  const notes: string[] = [];
  assert.equal(await run(bench, noted(notes, 1), await claimed(bench)), 'ended');
  assert.deepEqual(notes, ['run 0', 'run 1', 'undo 1', 'undo 0', 'failed: the engine said no']);
  assert.equal(await remaining(bench), 0);
});

test('a defect tells the user nothing of its insides', async () => {
  const bench = await taskBench();
  const notes: string[] = [];
  await run(bench, noted(notes, 0, new TypeError('secret of ours')), await claimed(bench));
  assert.match(notes.at(-1) ?? '', /^failed: Unexpected error/);
  assert.ok(!notes.join().includes('secret'));
});

test('a failure that keeps what is done undoes nothing', async () => {
  const bench = await taskBench();
  const notes: string[] = [];
  await run(bench, noted(notes, 2, new KeepWhatIsDone(new RuntimeFault('failed', 'no such binary'))), await claimed(bench));
  assert.deepEqual(notes, ['run 0', 'run 1', 'run 2', 'failed: no such binary']);
});

test('an engine that does not answer is tried again, from the step that failed, for a minute', async () => {
  const bench = await taskBench();
  const notes: string[] = [];
  const saga = noted(notes, 1, new RuntimeFault('unreachable', 'the engine is away'));
  assert.equal(await run(bench, saga, await claimed(bench)), 'released');
  bench.clock.advance(20_000);
  assert.equal(await run(bench, saga, await reclaimed(bench)), 'released');
  assert.deepEqual(notes, ['run 0', 'run 1', 'run 1']);
  bench.clock.advance(39_000);
  assert.equal(await run(bench, saga, await reclaimed(bench)), 'released');
  bench.clock.advance(15_000);
  assert.equal(await run(bench, saga, await reclaimed(bench)), 'ended');
  assert.equal(notes.at(-1), 'failed: the engine is away');
});

test('another worker goes on after the last finished step', async () => {
  const bench = await taskBench();
  const notes: string[] = [];
  const task = await claimed(bench);
  const crash = noted(notes, null);
  const second = crash.steps[1];
  assert.ok(second);
  const entered = new Promise<void>((resolve) => {
    second.run = () => {
      resolve();
      return new Promise(() => {});
    };
  });
  void run(bench, crash, task);
  await entered;
  bench.clock.advance(40_000);
  assert.equal(await run(bench, noted(notes, null), await reclaimed(bench)), 'ended');
  assert.deepEqual(notes, ['run 0', 'run 1', 'run 2', 'succeeded']);
});

test('an undo that fails is tried again by the next attempt, not skipped, and the failure is told meanwhile', async () => {
  const bench = await taskBench();
  const notes: string[] = [];
  const saga = noted(notes, 2);
  const first = saga.steps[0];
  assert.ok(first);
  const undo = first.undo;
  let failures = 1;
  first.undo = async (context) => {
    if (failures-- > 0) throw new RuntimeFault('unreachable', 'away');
    await undo?.(context);
  };
  assert.equal(await run(bench, saga, await claimed(bench)), 'released');
  bench.clock.advance(20_000);
  assert.equal(await run(bench, saga, await reclaimed(bench)), 'ended');
  const told = 'failed: the engine said no';
  assert.deepEqual(notes, ['run 0', 'run 1', 'run 2', 'undo 2', 'undo 1', told, 'undo 0', told]);
});

test('a worker that leaves while it undoes gives its task back, to go on there', async () => {
  const bench = await taskBench();
  const notes: string[] = [];
  const saga = noted(notes, 2);
  const leaving = new AbortController();
  const [, second] = saga.steps;
  assert.ok(second);
  second.undo = () => {
    leaving.abort('stopping' satisfies Interruption);
    return Promise.reject(new Error('interrupted'));
  };
  const options = { ...bench, logger: silentLogger };
  assert.equal(await runSaga(options, saga, await claimed(bench), new AbortController().signal, leaving.signal), 'released');
  assert.deepEqual(notes, ['run 0', 'run 1', 'run 2', 'undo 2']);
  const left = noted(notes, 2);
  assert.equal(await runSaga(options, left, await reclaimed(bench), new AbortController().signal), 'ended');
  assert.deepEqual(notes.slice(4), ['undo 1', 'undo 0', 'failed: the engine said no']);
});

test('a worker that stops gives its task back at once, with what was done', async () => {
  const bench = await taskBench();
  const notes: string[] = [];
  const controller = new AbortController();
  const saga = noted(notes, null);
  const second = saga.steps[1];
  assert.ok(second);
  second.run = async () => {
    controller.abort('stopping' satisfies Interruption);
    throw new Error('aborted');
  };
  assert.equal(await run(bench, saga, await claimed(bench), controller.signal), 'released');
  assert.equal((await reclaimed(bench)).progress.next, 1);
});

test('a cancelled task is undone', async () => {
  const bench = await taskBench();
  const notes: string[] = [];
  const task = await claimed(bench);
  await bench.store.cancel(bench.database.queries, 'a');
  assert.equal(await run(bench, noted(notes, null), { ...task, cancelled: true }), 'ended');
  assert.match(notes.at(-1) ?? '', /^failed: Cancelled/);
});

test('a task past its deadline fails at the step it has come to', async () => {
  const bench = await taskBench();
  const notes: string[] = [];
  const task = await claimed(bench);
  bench.clock.advance(600_000);
  assert.equal(await run(bench, noted(notes, null), task), 'ended');
  assert.deepEqual(notes, ['undo 0', "failed: Timed out at step 'step 0'."]);
});
