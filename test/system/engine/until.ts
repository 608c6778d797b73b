import { setTimeout as pause } from 'node:timers/promises';

/** Asks until the answer is neither null nor a failure, and answers it. Fails when the deadline passes, with the last failure. */
export async function until<T>(what: string, ask: () => Promise<T | null>, deadlineMs = 20_000): Promise<T> {
  const end = performance.now() + deadlineMs;
  let failure: unknown = null;
  for (;;) {
    const answer = await ask().catch((error) => {
      failure = error;
      return null;
    });
    if (answer !== null) return answer;
    if (performance.now() > end) throw new Error(`${what}: not within ${deadlineMs} ms`, { cause: failure });
    await pause(20);
  }
}
