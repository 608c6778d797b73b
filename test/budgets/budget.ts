import type { BudgetBench, BudgetRequest } from './budget-bench.ts';

/** Statements, transactions, and the calls to other services, sorted: `runtime.inspect ×2`. */
export type Spent = [statements: number, transactions: number, ...calls: string[]];

/** What one operation may cost. */
export interface Budget {
  /** Of `contract/routes.json`: `POST /v1/containers/{container_ident}/start`. */
  route: string;
  /** What is special about this case of it. */
  when?: string;
  /** Makes what the request is about; the answer fills the place `$` of `path`. */
  arrange?(bench: BudgetBench): Promise<string>;
  path: string;
  request?: BudgetRequest;
  /** Until the answer. */
  answer: Spent;
  /** The task that it queues, from the claim to its end: these calls, and so many statements and transactions at most. */
  task?: Spent;
}

/** Containers of demo, by what is done to them before. */
export const running = (bench: BudgetBench): Promise<string> => bench.container();

/** A container that runs, after an action. */
export function after(action: string): (bench: BudgetBench) => Promise<string> {
  return async (bench) => {
    const uuid = await bench.container();
    await bench.ask(`POST /v1/containers/${uuid}/${action}`);
    await bench.runTasks();
    return uuid;
  };
}
