import type { Queries } from '../db/database.ts';
import type { Task } from './task.ts';

/**
 * A task's plan: steps in order, each with its undo. Every `run` and `undo` may be called again after a crash,
 * so each finds what an earlier call made by deterministic names and succeeds when there is nothing left to do.
 */
export interface Saga<Payload = unknown> {
  /** The task kind, `container.create`. */
  kind: string;
  /** From enqueueing to giving up, retries included. */
  deadlineSeconds: number;
  steps: Step<Payload>[];
  /** What the rows say when all steps are done, in the transaction that ends the task. */
  succeeded?(queries: Queries, context: SagaContext<Payload>): Promise<void>;
  /**
   * What the rows say when the steps are undone; `reason` is a sentence for the user. Also called while undoing has to wait for
   * the other side, since a user shall not: it takes away nothing that an undo looks at, and may run again.
   */
  failed(queries: Queries, context: SagaContext<Payload>, reason: string): Promise<void>;
}

export interface Step<Payload = unknown> {
  /** For progress, logs and `status_reason`: `create workload`. */
  name: string;
  /** So long a step that cannot reach the other side is tried again before the saga fails; default 60. */
  patienceSeconds?: number;
  run(context: SagaContext<Payload>): Promise<void>;
  undo?(context: SagaContext<Payload>): Promise<void>;
}

export interface SagaContext<Payload = unknown> {
  readonly task: Task;
  readonly payload: Payload;
  /** Kept between steps and across workers: small, JSON. */
  readonly data: Record<string, unknown>;
  /** Aborts when the lease is lost, the deadline passes, the task is cancelled or the worker stops. */
  readonly signal: AbortSignal;
  /** A transaction that commits only while this worker holds the task. */
  write<T>(closure: (queries: Queries) => Promise<T>): Promise<T>;
}
