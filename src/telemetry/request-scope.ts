import { AsyncLocalStorage } from 'node:async_hooks';

/** Whatever belongs to a request: an exchange of the API, a task that it queued. Read when asked, since the edge names a request late. */
export interface RequestBound {
  readonly requestId: string | null;
}

/**
 * Tells code far below (the logger, clients of other services) which request it works for, so that ports need no argument for it.
 * One a program, made where it is wired.
 */
export class RequestScope {
  readonly #storage = new AsyncLocalStorage<RequestBound>();

  /** Runs the closure, and all that it starts, for the request. */
  run<T>(bound: RequestBound, closure: () => T): T {
    return this.#storage.run(bound, closure);
  }

  /** `null` outside of requests and tasks. */
  requestId(): string | null {
    return this.#storage.getStore()?.requestId || null;
  }
}
