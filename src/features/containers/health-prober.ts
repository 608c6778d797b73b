import type { ContainerServices } from './container-services.ts';
import { containersOfHost } from './container-store.ts';

/** Docker's default between two health checks. */
const defaultIntervalSeconds = 30;

/**
 * Runs the health checks of a host's containers, of all hosts' for `null`, while the engine does not run them by itself, each at its own interval,
 * and has the row brought in line after each. Runs until the signal aborts.
 */
export async function probeHealth(
  services: Pick<ContainerServices, 'database' | 'runtime' | 'clock' | 'logger'>,
  host: string | null,
  touch: (uuid: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const due = new Map<string, number>();
  while (!signal.aborted) {
    await services.clock.sleep(1000, signal);
    if (signal.aborted) return;
    // It may only be found out now what the engine is.
    if (services.runtime.runsHealthchecks) continue;
    const now = services.clock.now();
    const probed = await checkedContainers(services, host);
    for (const uuid of due.keys()) if (!probed.has(uuid)) due.delete(uuid);
    for (const [uuid, interval] of probed) {
      const next = due.get(uuid) ?? now + interval;
      due.set(uuid, next <= now ? now + interval : next);
      if (next > now) continue;
      await services.runtime
        .probeHealth(uuid, signal)
        .then(() => touch(uuid))
        .catch((error) => services.logger.debug({ err: error, container: uuid }, 'the health check could not be run'));
    }
  }
}

/** Running containers with a health check, and the milliseconds between two of its runs. */
async function checkedContainers(
  services: Pick<ContainerServices, 'database' | 'logger'>,
  host: string | null,
): Promise<Map<string, number>> {
  try {
    const rows = await containersOfHost(services.database.queries, host, { status: 'Running' });
    return new Map(
      rows
        .filter((row) => row.healthcheck?.test)
        .map((row) => [row.uuid, Math.max(1, Number(row.healthcheck?.interval ?? defaultIntervalSeconds)) * 1000]),
    );
  } catch (error) {
    services.logger.warn({ err: error }, 'containers with a health check could not be read');
    return new Map();
  }
}
