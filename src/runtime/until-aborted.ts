import { RuntimeFault } from './runtime-fault.ts';

/** The caller's wait ends with its signal as a `timeout` fault; what was begun goes on, as behind a closed connection. */
export function untilAborted<T>(call: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new RuntimeFault('timeout', `${call}: the caller no longer waits`));
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}
