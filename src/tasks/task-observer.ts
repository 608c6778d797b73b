import type { Step } from './saga.ts';
import type { Task } from './task.ts';

/** How one run or undo of a step ended. `again`: the task is given back, to try it later. */
export interface StepEnd {
  task: Task;
  step: Step['name'];
  direction: 'run' | 'undo';
  outcome: 'done' | 'failed' | 'again';
  milliseconds: number;
}

/** How a worker parted from a task: see `runSaga`; `failed` has ended too, its steps undone. */
export type TaskOutcome = 'succeeded' | 'failed' | 'released' | 'lost';

/** What happens in the queue, as it happens: the seam for metrics and tests. None may throw; none is waited for. */
export interface TaskObserver {
  /** A look at the table ended; `null` found nothing to do, `error` could not look. */
  looked?(found: Task | null | 'error'): void;
  stepEnded?(end: StepEnd): void;
  taskLeft?(task: Task, outcome: TaskOutcome): void;
}
