import { AsyncLocalStorage } from 'node:async_hooks';
import type { HeldLease } from './held-lease.ts';

/**
 * Keeps a worker that was stopped, or had no time, for longer than its lease from going on as if nothing had happened: the database refuses
 * what it writes, but an engine or a service would do what it asks, after another worker has done it and perhaps more. So the first call after
 * that asks the database whose the task is.
 *
 * What was sent before and takes effect late is not held up by this; nor is what comes between this look and the sending.
 */
export class LeaseGuard {
  readonly #storage = new AsyncLocalStorage<HeldLease>();

  /** Runs the closure, and all that it starts, under the lease. */
  run<T>(lease: HeldLease, closure: () => T): T {
    return this.#storage.run(lease, closure);
  }

  /** The same port, whose calls for a task that may be another's by now throw `LeaseLost` if it is. `ports`: members that are ports too. */
  around<T extends object>(port: T, ports: readonly string[] = []): T {
    return new Proxy(port, {
      get: (target, member) => {
        const value: unknown = Reflect.get(target, member, target);
        if (typeof member === 'symbol') return value;
        if (typeof value === 'object' && value !== null && ports.includes(member)) return this.around(value, ports);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          const lease = this.#storage.getStore();
          return lease?.isOver ? lease.renew().then(() => value.apply(target, args)) : value.apply(target, args);
        };
      },
    });
  }
}
