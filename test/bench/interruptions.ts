import { DrowsyClock } from './drowsy-clock.ts';
import type { LocalBench } from './local-bench.ts';

/** Runs the task until the call of that number; answers whether it came to that. `also` sees every call's number. */
export async function interrupted(
  bench: LocalBench,
  index: number,
  moment: 'before' | 'after',
  act: () => Promise<void>,
  also: (at: number) => void = () => {},
): Promise<boolean> {
  let at = -1;
  let reached = () => {};
  const interruption = new Promise<true>((resolve) => {
    reached = () => resolve(true);
  });
  const interrupt = (when: 'before' | 'after', number: number) => {
    if (when !== moment || number !== index) return undefined;
    bench.watch = {};
    reached();
    return act();
  };
  bench.watch = {
    async before() {
      at += 1;
      also(at);
      await interrupt('before', at);
    },
    async after() {
      await interrupt('after', at);
    },
  };
  const died = await Promise.race([interruption, bench.runOne().then(() => false)]);
  if (died) bench.abandon();
  bench.watch = {};
  return died;
}

/** A worker of its own falls asleep after so many calls. Answers what wakes it, and waits until it has left its task. */
export async function fallenAsleep(bench: LocalBench, calls: number): Promise<() => Promise<void>> {
  const clock = new DrowsyClock(bench.clock);
  const core = await bench.other(clock);
  const asleep = Promise.withResolvers<void>();
  const awake = Promise.withResolvers<void>();
  let ended = 0;
  bench.watch = {
    after() {
      ended += 1;
      if (ended <= calls) return undefined;
      bench.watch = {};
      clock.fallAsleep();
      asleep.resolve();
      return awake.promise;
    },
  };
  const worker = core.startWorker('sleeper');
  await bench.whileTimePasses(asleep.promise);
  return async () => {
    awake.resolve();
    clock.wake();
    // Its task is another's: there is nothing to hand back.
    await bench.whileTimePasses(worker.stop(1_000));
  };
}
