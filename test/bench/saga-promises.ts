import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Saga, Step } from '../../src/tasks/saga.ts';
import { ContainerBench } from './container-bench.ts';
import { eachStep, failingStep, twice } from './step-changes.ts';

/** What the test of one saga has to say; the promises are the same for all. */
export interface SagaUnderTest {
  kind: string;
  /** In place of the usual bench. */
  open?(): Promise<ContainerBench>;
  /** What is there before, and the requests that queue the saga's task; answers the subject. */
  ask(bench: ContainerBench): Promise<string>;
  succeeded(bench: ContainerBench, uuid: string): Promise<void>;
  /** What holds when the step of this name has failed and everything before it was undone. */
  failed(bench: ContainerBench, uuid: string, step: string): Promise<void>;
}

/** The promises of every saga: it succeeds, each step fails and unwinds, unwinding may happen twice, running too. */
export function sagaPromises(saga: SagaUnderTest, steps: string[]): void {
  test(`${saga.kind}: its steps are ${steps.join(', ')}, and it succeeds`, async () => {
    const change = (own: Saga) => {
      assert.deepEqual(own.steps.map(nameOf), steps);
      return own;
    };
    await run(saga, change, saga.succeeded);
  });

  test(`${saga.kind}: every step may run twice`, async () => {
    await run(saga, (own) => eachStep(own, (step) => ({ ...step, run: twice(step.run) })), saga.succeeded);
  });

  for (const failing of steps) {
    for (const moment of ['before', 'after'] as const) {
      test(`${saga.kind}: a failure ${moment} the work of '${failing}' unwinds, and unwinding may happen twice`, async () => {
        const change = (own: Saga) =>
          eachStep(
            own,
            failingStep((step) => step.name === failing, moment),
          );
        await run(saga, change, (bench, uuid) => saga.failed(bench, uuid, failing));
      });
    }
  }
}

async function run(saga: SagaUnderTest, change: (saga: Saga) => Saga, check: (bench: ContainerBench, uuid: string) => Promise<void>) {
  const bench = await (saga.open?.() ?? ContainerBench.open());
  const uuid = await saga.ask(bench);
  const own = bench.sagas.get(saga.kind);
  assert.ok(own, saga.kind);
  bench.sagas.set(saga.kind, change(own));
  await bench.work();
  const queued = await bench.services.database.queries.selectFrom('openkeel_task').select('kind').execute();
  assert.deepEqual(queued, [], 'the task has ended');
  await check(bench, uuid);
}

const nameOf = ({ name }: Step): string => name;
