import type { Clock } from '../telemetry/clock.ts';
import { scrubbed } from '../telemetry/redacted.ts';

/** Asks one thing that this program needs. Throws with the reason when it can't be used; gives up when the signal aborts. */
export type DependencyCheck = (signal: AbortSignal) => Promise<unknown>;

/** The answer of `/readyz`. */
export interface Readiness {
  ready: boolean;
  dependencies: Record<string, { status: 'up'; ms: number } | { status: 'down'; ms: number; reason: string }>;
}

/** A dependency that has not answered after so long is down, in milliseconds: less than a prober waits. */
const patience = 5_000;

/** Asks all dependencies at once. */
export async function readiness(checks: Record<string, DependencyCheck>, clock: Clock): Promise<Readiness> {
  const dependencies: Readiness['dependencies'] = {};
  await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const began = clock.now();
      const reason = await refusal(check, clock);
      const ms = clock.now() - began;
      dependencies[name] = reason === null ? { status: 'up', ms } : { status: 'down', ms, reason };
    }),
  );
  const inOrder = Object.fromEntries(Object.keys(checks).flatMap((name) => (dependencies[name] ? [[name, dependencies[name]]] : [])));
  return { ready: Object.values(dependencies).every(({ status }) => status === 'up'), dependencies: inOrder };
}

/** Why a dependency can't be used, without secrets; `null` when it answered. */
export async function refusal(check: DependencyCheck, clock: Clock): Promise<string | null> {
  const over = new AbortController();
  const silence = clock.sleep(patience, over.signal).then(() => `no answer within ${patience / 1000} s`);
  const answer = Promise.resolve()
    .then(() => check(over.signal))
    .then(
      () => null,
      (error: unknown) => scrubbed(error instanceof Error ? error.message : String(error)),
    );
  const reason = await Promise.race([answer, silence]);
  over.abort();
  return reason;
}
