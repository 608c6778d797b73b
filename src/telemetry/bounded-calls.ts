import type { Clock } from './clock.ts';

export interface CallBounds {
  /** Longest that a call may take, in milliseconds; `null`: as long as the caller's signal lets it. */
  milliseconds(method: string, args: readonly unknown[]): number | null;
  /** What the caller meets then. */
  expired(method: string, seconds: number): Error;
  /** Members that are ports of their own, held to the same bounds. */
  ports?: readonly string[];
}

/** An adapter that heeds its signal ends by itself within this time, in milliseconds, with an error of its own. */
const abortGrace = 500;

/**
 * The same port, none of whose calls is waited for without end, whatever the adapter does: each is given up after its time, and soon
 * after the caller's signal has aborted. A signal among the arguments aborts then, too, so that an adapter which heeds it lets go. What
 * was given up may still take effect, as with a lost answer. Methods that answer no promise are left as they are.
 */
export function boundedCalls<T extends object>(port: T, clock: Clock, bounds: CallBounds): T {
  return new Proxy(port, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member, target);
      if (typeof member === 'symbol') return value;
      if (typeof value === 'object' && value !== null && bounds.ports?.includes(member)) return boundedCalls(value, clock, bounds);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const own = new AbortController();
        const at = args.findIndex((arg) => arg instanceof AbortSignal);
        const given = at < 0 ? null : (args[at] as AbortSignal);
        const answer: unknown = value.apply(target, given ? args.with(at, AbortSignal.any([given, own.signal])) : args);
        if (!(answer instanceof Promise)) return answer;
        const limit = bounds.milliseconds(member, args);
        return firstOf(answer, clock, limit, given, () => {
          const error = bounds.expired(member, Math.round((limit ?? 0) / 1000));
          own.abort(error);
          return error;
        });
      };
    },
  });
}

/** The answer, or the error of whichever end comes before it. Nothing waits on afterwards. */
async function firstOf<T>(
  answer: Promise<T>,
  clock: Clock,
  limit: number | null,
  given: AbortSignal | null,
  expire: () => Error,
): Promise<T> {
  const over = new AbortController();
  const ends: Promise<T>[] = [answer];
  if (limit !== null) {
    ends.push(
      clock.sleep(limit, over.signal).then(() => {
        if (over.signal.aborted) return answer;
        throw expire();
      }),
    );
  }
  if (given) {
    ends.push(
      aborted(given, over.signal).then(async () => {
        await clock.sleep(abortGrace, over.signal);
        if (over.signal.aborted) return answer;
        throw given.reason;
      }),
    );
  }
  try {
    return await Promise.race(ends);
  } finally {
    over.abort();
  }
}

/** Resolves when either signal aborts. */
function aborted(...signals: AbortSignal[]): Promise<void> {
  const any = AbortSignal.any(signals);
  return new Promise((resolve) => {
    if (any.aborted) resolve();
    else any.addEventListener('abort', () => resolve(), { once: true });
  });
}
