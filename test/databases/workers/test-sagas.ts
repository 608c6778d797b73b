import type { Queries } from '../../../src/db/database.ts';
import type { Saga, SagaContext } from '../../../src/tasks/saga.ts';
import { systemClock } from '../../../src/telemetry/clock.ts';
import { appendHistory, type HistoryRow } from './history.ts';

export interface TestPayload {
  /** Of the task, in the history. */
  name: string;
  /** Milliseconds that its work takes. */
  works?: number;
  /** Ticks to write while it works. */
  ticks?: number;
  /** The first worker that has it stops itself (SIGSTOP) within its write, holding what the transaction holds. */
  stopsItself?: boolean;
}

/** Work that leaves its history: it begins, ticks and ends, each in a write that only the holder of the task can make. */
export function testSagas(owner: string): ReadonlyMap<string, Saga> {
  const note = (context: SagaContext<TestPayload>, event: HistoryRow['event']) =>
    context.write((queries) => appendHistory(queries, context.task, owner, event));
  const saga: Saga<TestPayload> = {
    kind: 'test.append',
    deadlineSeconds: 600,
    steps: [
      { name: 'begin', run: (context) => note(context, 'begin') },
      {
        name: 'stop in the middle of a write',
        run: (context) =>
          context.write(async (queries) => {
            if (!context.payload.stopsItself || context.task.attempt > 1) return;
            await appendHistory(queries, context.task, owner, 'tick');
            process.kill(process.pid, 'SIGSTOP');
            await appendHistory(queries, context.task, owner, 'tick');
          }),
      },
      {
        name: 'work',
        async run(context) {
          const { works = 0, ticks = 0 } = context.payload;
          for (let tick = 0; tick < ticks; tick += 1) {
            await systemClock.sleep(works / ticks, context.signal);
            context.signal.throwIfAborted();
            await note(context, 'tick');
          }
        },
      },
    ],
    succeeded: (queries, { task }) => appendHistory(queries, task, owner, 'end'),
    failed: (queries: Queries, { task }) => appendHistory(queries, task, owner, 'failed'),
  };
  return new Map([[saga.kind, saga as Saga]]);
}
