import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Asks until the answer satisfies, and answers it. Fails with the last answer seen when the deadline passes;
 * 60 s cover a slow engine on a machine that runs several suites, and a kubelet's pause before a second restart.
 */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T>,
  satisfied: (answer: T) => boolean,
  deadlineMs = 60_000,
): Promise<T> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const answer = await ask();
    if (satisfied(answer)) return answer;
    if (performance.now() > end) assert.fail(`${what}: not within ${deadlineMs} ms; last seen ${JSON.stringify(answer)}`);
    await pause(20);
  }
}
