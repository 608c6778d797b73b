import type { Clock } from '../telemetry/clock.ts';
import type { Task } from './task.ts';
import type { TaskStore } from './task-store.ts';

/** What a worker knows of its hold on a task without asking: until when nobody else can have claimed it. */
export class HeldLease {
  readonly #store: TaskStore;
  readonly #clock: Clock;
  readonly #task: Task;
  #until: number;

  /** `claimedAt`: before the claim was asked for, by the monotonic clock. */
  constructor(store: TaskStore, clock: Clock, task: Task, claimedAt: number) {
    this.#store = store;
    this.#clock = clock;
    this.#task = task;
    this.#until = claimedAt + store.leaseMilliseconds;
  }

  /** Prolongs it. Throws `LeaseLost`. */
  async renew(): Promise<void> {
    const asked = this.#clock.monotonic();
    await this.#store.renew(this.#task);
    this.#until = asked + this.#store.leaseMilliseconds;
  }

  /** True once somebody else may have the task. */
  get isOver(): boolean {
    return this.#clock.monotonic() >= this.#until;
  }
}
