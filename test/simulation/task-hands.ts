import type { Saga, SagaContext, Step } from '../../src/tasks/saga.ts';
import type { Task } from '../../src/tasks/task.ts';
import type { TaskObserver } from '../../src/tasks/task-observer.ts';

/** Who has which task: watches that no task is in two hands, and that nobody writes for one that he has lost. */
export class TaskHands {
  readonly violations: string[] = [];
  /** By the task's uuid: the last attempt that was claimed, and by whom. */
  readonly #claims = new Map<string, { attempt: number; process: string }>();

  observer(process: string, tell: (line: string) => void): TaskObserver {
    return {
      looked: (found) => {
        if (found === null || found === 'error') return;
        tell(`${process} claims ${found.kind} ${found.subject.slice(0, 8)} #${found.id}, attempt ${found.attempt}`);
        const before = this.#claims.get(found.uuid);
        if (before && before.attempt >= found.attempt)
          this.violations.push(`task #${found.id} is in two hands: ${before.process} and ${process} have attempt ${found.attempt}`);
        this.#claims.set(found.uuid, { attempt: found.attempt, process });
      },
      stepEnded: ({ task, step, direction, outcome }) =>
        outcome === 'done' ? undefined : tell(`${process} ${direction} '${step}' of #${task.id}: ${outcome}`),
      taskLeft: (task, outcome) => tell(`${process} leaves ${task.kind} #${task.id}: ${outcome}${reasonOf(task)}`),
    };
  }

  /** The saga, with every write of its steps and of its end held to the fence. */
  fenced(saga: Saga, process: string): Saga {
    const check = (task: Task) => {
      const last = this.#claims.get(task.uuid);
      if (last && last.attempt !== task.attempt)
        this.violations.push(
          `${process} writes for task #${task.id} with attempt ${task.attempt}, which ${last.process} has as ${last.attempt}`,
        );
    };
    const held = (context: SagaContext): SagaContext => ({
      ...context,
      write: (closure) =>
        context.write((queries) => {
          check(context.task);
          return closure(queries);
        }),
    });
    const step = (own: Step): Step => ({
      ...own,
      run: (context) => own.run(held(context)),
      ...(own.undo ? { undo: (context: SagaContext) => own.undo?.(held(context)) ?? Promise.resolve() } : {}),
    });
    const { succeeded } = saga;
    return {
      ...saga,
      steps: saga.steps.map(step),
      ...(succeeded
        ? {
            succeeded(queries, context) {
              check(context.task);
              return succeeded(queries, context);
            },
          }
        : {}),
      failed(queries, context, reason) {
        check(context.task);
        return saga.failed(queries, context, reason);
      },
    };
  }
}

const reasonOf = ({ progress }: Task): string => (progress.unwinding ? ` (${progress.unwinding.reason})` : '');
