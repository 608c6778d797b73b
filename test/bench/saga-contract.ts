import assert from 'node:assert/strict';
import { after, before, describe, test as nodeTest } from 'node:test';
import { RuntimeFault } from '../../src/runtime/runtime-fault.ts';
import { fallenAsleep, interrupted } from './interruptions.ts';
import { assertSettled, holdings } from './leftovers.ts';
import { LocalBench } from './local-bench.ts';
import { eachStep, failingStep, twice } from './step-changes.ts';

/** One way of running one saga. */
export interface SagaCase {
  /** `container.create with volumes and two networks`: the task's kind, and what is special about it. */
  name: string;
  kind: string;
  /** Brings about what must be there first, tasks included; answers the uuid. */
  prepare?(bench: LocalBench): Promise<string>;
  /** The request that queues the task; answers the uuid of the container. */
  ask(bench: LocalBench, uuid: string): Promise<string>;
  /** What holds after success, beyond what holds always. */
  succeeded(bench: LocalBench, uuid: string): Promise<void>;
  /** What holds after a failure, beyond what holds always. */
  failed?(bench: LocalBench, uuid: string): Promise<void>;
}

/**
 * What every saga promises, on the adapters of `standalone` over memory: it succeeds; every step may run twice; each step fails and
 * unwinds, and unwinding may happen twice; each call outside fails, or loses its answer; and the worker may die before and after each
 * such call, in steps and in their undo, and another ends the work. Each time the row, the action and the world outside
 * agree, nothing is left without an owner, and a delete afterwards leaves nothing at all.
 */
export function sagaContract(saga: SagaCase): void {
  describe(saga.name, () => {
    const shared = new SharedBench();
    let calls: string[] = [];
    before(async () => {
      calls = await callsOf(await shared.bench(), saga);
    });
    after(() => shared.close());
    const test = (name: string, promise: (bench: LocalBench) => Promise<void>) => nodeTest(name, () => shared.use(promise));

    test('succeeds, and calls the outside', async (bench) => {
      assert.ok(calls.length > 0);
      await ended(bench, saga, await asked(bench, saga), 'succeeded');
    });

    test('every step may run twice', async (bench) => {
      const uuid = await asked(bench, saga);
      await bench.runOne((own) => eachStep(own, (step) => ({ ...step, run: twice(step.run) })));
      await ended(bench, saga, uuid, 'succeeded');
    });

    test('each step fails and unwinds, and unwinding may happen twice', async (bench) => {
      const { steps } = bench.core.sagas.get(saga.kind) ?? assert.fail(saga.kind);
      for (const [index] of steps.entries()) {
        for (const moment of ['before', 'after'] as const) {
          const uuid = await asked(bench, saga);
          const failing = failingStep((_, at) => at === index, moment);
          await bench.runOne((own) => eachStep(own, failing));
          await ended(bench, saga, uuid, 'failed');
        }
      }
    });

    test('when nobody answers from a call on, the action fails with a reason within 75 s, and is undone when somebody does', async (bench) => {
      for (const [index, call] of calls.entries()) {
        if (isOwn(call)) continue;
        const uuid = await asked(bench, saga);
        const began = bench.clock.now();
        let at = -1;
        bench.watch = {
          before(made) {
            at += 1;
            if (at >= index && !isOwn(made)) throw new RuntimeFault('unreachable', 'the test takes the engine away');
          },
        };
        while (!(await hasFailed(bench, uuid))) await bench.runOne();
        assert.ok(bench.clock.now() - began <= 75_000, `${call}: failed after ${(bench.clock.now() - began) / 1000} s`);
        bench.watch = {};
        await ended(bench, saga, uuid, 'any');
      }
    });

    test('when a call never comes back, and no later one either, the action fails with a reason in bounded time', async (bench) => {
      const { deadlineSeconds } = bench.core.sagas.get(saga.kind) ?? assert.fail(saga.kind);
      for (const [index, call] of calls.entries()) {
        if (isOwn(call)) continue;
        const uuid = await asked(bench, saga);
        const began = bench.clock.now();
        let at = -1;
        bench.watch = {
          before(made) {
            at += 1;
            return at >= index && !isOwn(made) ? new Promise(() => {}) : undefined;
          },
        };
        const worker = bench.core.startWorker('bench');
        const limit = (waitsForTask(call) ? deadlineSeconds * 1000 : hangLimit) + hangLimit;
        while (!(await hasFailed(bench, uuid))) {
          assert.ok(bench.clock.now() - began <= limit, `${call}: nothing said after ${(bench.clock.now() - began) / 1000} s`);
          await bench.pass(waitsForTask(call) ? 10_000 : 2_000);
        }
        assert.match(await reasonOf(bench, uuid), /did not answer within \d+ seconds|^Timed out at step '/);
        bench.watch = {};
        await bench.whileTimePasses(worker.stop(0));
        await bench.outwaitLease();
        await ended(bench, saga, uuid, 'any');
      }
    });

    // A failure before a call differs from one after the call before it in nothing but the reason.
    test('each call outside is refused after it took effect', async (bench) => {
      for (const [index, call] of calls.entries()) {
        if (isOwn(call)) continue;
        const uuid = await asked(bench, saga);
        await interrupted(bench, index, 'after', () => {
          throw new RuntimeFault('failed', `${call}: the test makes it fail`);
        });
        await ended(bench, saga, uuid, 'any');
      }
    });

    test('each call outside loses its answer once, and is made again', async (bench) => {
      for (const [index, call] of calls.entries()) {
        if (isOwn(call)) continue;
        const uuid = await asked(bench, saga);
        await interrupted(bench, index, 'after', () => {
          throw new RuntimeFault('unreachable', 'the test takes the engine away');
        });
        await ended(bench, saga, uuid, 'any');
      }
    });

    // Between a call and the next one lies the note that its step is done.
    for (const moment of ['before', 'after'] as const) {
      test(`the worker dies ${moment} each call outside and each commit, and another ends the work`, async (bench) => {
        for (const index of calls.keys()) {
          const uuid = await asked(bench, saga);
          await interrupted(bench, index, moment, () => new Promise(() => {}));
          await bench.outwaitLease();
          await ended(bench, saga, uuid, 'succeeded');
        }
      });
    }

    test('the worker sleeps past its lease after each call outside and each commit, another ends the work, and the first then does no harm', async (bench) => {
      for (const index of calls.keys()) {
        const uuid = await asked(bench, saga);
        const wake = await fallenAsleep(bench, index);
        await bench.outwaitLease();
        await bench.runTasks();
        await wake();
        await ended(bench, saga, uuid, 'succeeded');
      }
    });

    test('the worker dies after each call while it undoes, and another ends the undoing', async (bench) => {
      const last = calls.findLastIndex((call) => !isOwn(call));
      for (let index = last + 1; ; index += 1) {
        const uuid = await asked(bench, saga);
        const refuse = (at: number) => {
          if (at === last) throw new RuntimeFault('failed', 'the test makes it fail');
        };
        const died = await interrupted(bench, index, 'after', () => new Promise(() => {}), refuse);
        await bench.outwaitLease();
        await ended(bench, saga, uuid, 'any');
        if (!died) break;
      }
    });
  });
}

/** One bench for the tests of a saga, since opening it takes most of their time; a test that fails leaves the next ones a new one. */
class SharedBench {
  #bench: LocalBench | null = null;

  async bench(): Promise<LocalBench> {
    this.#bench ??= await LocalBench.open();
    return this.#bench;
  }

  async use(promise: (bench: LocalBench) => Promise<void>): Promise<void> {
    try {
      await promise(await this.bench());
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#bench?.database.close();
    this.#bench = null;
  }
}

/** Calls that reach nothing but Zun's own database: they fail with the process only. */
const isOwn = (call: string): boolean => call.startsWith('database.') || call.startsWith('inventory.');

/** Calls that may take as long as their task: they depend on the size of an image and on the line. */
const waitsForTask = (call: string): boolean => ['images.pull', 'images.load', 'runtime.commit'].includes(call);

/** One call, the grace period of a stop, and what lies between two tries, in milliseconds. */
const hangLimit = 60_000 + 15_000;

/** The user is told: no action is under way, or there is no such thing any more. */
async function hasFailed(bench: LocalBench, subject: string): Promise<boolean> {
  const { queries } = bench.database;
  const open = await queries.selectFrom('container_actions').select('id').where('finish_time', 'is', null).execute();
  const container = await queries
    .selectFrom('container')
    .select(['status_reason', 'task_state'])
    .where('uuid', '=', subject)
    .executeTakeFirst();
  if (!container) return (await queries.selectFrom('openkeel_task').select('id').execute()).length === 0;
  return open.length === 0 && container.task_state === null && container.status_reason !== null;
}

/** What the action that failed last tells its user. */
async function reasonOf(bench: LocalBench, subject: string): Promise<string> {
  const { queries } = bench.database;
  const closed = await queries
    .selectFrom('container_actions_events as event')
    .innerJoin('container_actions as action', 'action.id', 'event.action_id')
    .select('event.traceback')
    .where('action.container_uuid', '=', subject)
    .where('event.result', '=', 'Error')
    .orderBy('event.id', 'desc')
    .executeTakeFirst();
  const container = await queries.selectFrom('container').select('status_reason').where('uuid', '=', subject).executeTakeFirst();
  const pull = await queries.selectFrom('openkeel_failed_pull').select('reason').where('image_uuid', '=', subject).executeTakeFirst();
  return closed?.traceback ?? container?.status_reason ?? pull?.reason ?? '';
}

async function asked(bench: LocalBench, saga: SagaCase): Promise<string> {
  await bench.report();
  const uuid = (await saga.prepare?.(bench)) ?? '';
  const subject = await saga.ask(bench, uuid);
  const { tasks } = await holdings(bench);
  assert.deepEqual(tasks, [saga.kind]);
  return subject;
}

/** The calls of one undisturbed run, in order. */
async function callsOf(bench: LocalBench, saga: SagaCase): Promise<string[]> {
  const calls: string[] = [];
  const uuid = await asked(bench, saga);
  bench.watch = { before: (call) => void calls.push(call) };
  await bench.runOne();
  bench.watch = {};
  await ended(bench, saga, uuid, 'succeeded');
  return calls;
}

/** What is promised of every outcome; then the container is deleted, which leaves nothing. */
async function ended(bench: LocalBench, saga: SagaCase, uuid: string, outcome: 'succeeded' | 'failed' | 'any'): Promise<void> {
  await bench.runTasks();
  await assertSettled(bench);
  if (outcome === 'succeeded') await saga.succeeded(bench, uuid);
  if (outcome === 'failed') await saga.failed?.(bench, uuid);
  for (const container of (await holdings(bench)).containers) {
    const { status } = await bench.ask('GET', `/v1/containers/${container}`);
    // A paused container cannot be deleted, in the original neither.
    if (status === 'Paused') await bench.ask('POST', `/v1/containers/${container}/unpause`);
    await bench.runTasks();
    await bench.ask('DELETE', `/v1/containers/${container}?force=true`);
  }
  await bench.runTasks();
  const { ports, ...rest } = await holdings(bench);
  assert.deepEqual(
    [...new Set(ports)].filter((owner) => owner !== ''),
    [],
  );
  for (const [kind, left] of Object.entries(rest)) assert.deepEqual(left, [], `${kind} after the delete`);
}
