import type { RuntimeEvent, StreamHappening } from '../container-runtime.ts';

interface Watcher {
  waiting: RuntimeEvent[];
  failure: Error | null;
  wake: () => void;
}

/** Tells every watcher what happens from the moment it began to watch. */
export class EventFeed {
  readonly #watchers = new Set<Watcher>();

  publish(event: RuntimeEvent): void {
    for (const watcher of this.#watchers) {
      watcher.waiting.push(event);
      watcher.wake();
    }
  }

  /** Breaks every watch, as a lost connection does. */
  fail(error: Error): void {
    for (const watcher of this.#watchers) {
      watcher.failure = error;
      watcher.wake();
    }
  }

  /** `told` hears when the watch begins. */
  async *watch(signal: AbortSignal, told?: (happening: StreamHappening) => void): AsyncGenerator<RuntimeEvent, void> {
    const watcher: Watcher = { waiting: [], failure: null, wake: () => {} };
    this.#watchers.add(watcher);
    told?.('connected');
    told?.('opened');
    const stop = () => watcher.wake();
    signal.addEventListener('abort', stop);
    try {
      while (!signal.aborted) {
        const event = watcher.waiting.shift();
        if (event) yield event;
        else if (watcher.failure) throw watcher.failure;
        else await new Promise<void>((resolve) => (watcher.wake = resolve));
      }
    } finally {
      signal.removeEventListener('abort', stop);
      this.#watchers.delete(watcher);
    }
  }
}
