import type { TaskObserver } from '../tasks/task-observer.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** Counts what the workers of this process do. */
export function taskMetrics(metrics: Metrics): TaskObserver {
  const looks = metrics.counter('zun_task_looks_total', 'Looks of the worker at the task table.', ['found']);
  const steps = metrics.duration('zun_task_step_duration_seconds', 'Time of one run or undo of a step of a task.', [
    'kind',
    'step',
    'direction',
    'outcome',
  ]);
  const left = metrics.counter('zun_tasks_left_total', 'Tasks that the worker has ended or given back.', ['kind', 'outcome']);
  return {
    looked: (found) => looks.add({ found: found === null ? 'nothing' : found === 'error' ? 'error' : 'task' }),
    stepEnded: ({ task, step, direction, outcome, milliseconds }) =>
      steps.observe({ kind: task.kind, step, direction, outcome }, milliseconds),
    taskLeft: (task, outcome) => left.add({ kind: task.kind, outcome }),
  };
}
