import type { Saga, Step } from '../../src/tasks/saga.ts';

type Work = Step['run'];

/** The saga with each of its steps changed. */
export const eachStep = (saga: Saga, change: (step: Step, index: number) => Step): Saga => ({ ...saga, steps: saga.steps.map(change) });

/** Work that is done once more when it is done. */
export const twice =
  (work: Work): Work =>
  async (context) => {
    await work(context);
    await work(context);
  };

/** A step that fails, before it does anything or when everything is done, and is undone twice, as are those before it. */
export const failingStep =
  (failing: (step: Step, index: number) => boolean, moment: 'before' | 'after') =>
  (step: Step, index: number): Step => ({
    ...step,
    ...(failing(step, index) ? { run: failingRun(step, moment) } : {}),
    ...(step.undo ? { undo: twice(step.undo) } : {}),
  });

/** A step's undo also finds what the step did before it failed. */
const failingRun =
  (step: Step, moment: 'before' | 'after'): Work =>
  async (context) => {
    if (moment === 'after') await step.run(context);
    throw new Error('the test makes it fail');
  };
