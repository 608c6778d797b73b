import type { Database } from '../../db/database.ts';
import { HostWatch } from '../../sync/host-watch.ts';
import { type HostLoss, lossReason } from '../../sync/lost-host.ts';
import type { SyncObserver } from '../../sync/sync-observer.ts';
import type { Clock } from '../../telemetry/clock.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { loseCapsules } from '../capsules/lost-capsules-store.ts';
import { placedOn } from '../containers/container-store.ts';
import { loseContainers } from '../containers/lost-containers-store.ts';
import { nodeServices } from '../services/service-store.ts';

export interface WatchHostsOptions {
  database: Database;
  clock: Clock;
  logger: Logger;
  observer?: SyncObserver;
  /** `[DEFAULT]/service_down_time`. */
  downTimeSeconds: number;
  /** Whether the runtime of this process can be asked about what is on that host. Where it can, it is, and believed as far as it knows. */
  canAsk(host: string): boolean;
  /** Further signs of life by host, counted: of those who follow an engine that can't be asked from here, and keep its rows true. */
  followers?(): Promise<ReadonlyMap<string, number>>;
  /** Compares a row with the runtime soon. */
  touch(uuid: string): void;
  signal: AbortSignal;
}

/** Between two looks at the services, in milliseconds. */
const lookInterval = 15_000;

/**
 * Looks after lost hosts until the signal aborts: what is on them becomes Unknown with a reason, and is compared with the runtime once
 * they are back. Nothing else: no row goes, no task is queued, nothing is started elsewhere, since what runs there may run on; the
 * operator is told in the log what there is.
 */
export async function watchHosts(options: WatchHostsOptions): Promise<void> {
  const { clock, signal, logger } = options;
  const watch = new HostWatch(options.downTimeSeconds);
  let lost = new Map<string, HostLoss>();
  while (!signal.aborted) {
    await clock.sleep(lookInterval, signal);
    if (signal.aborted) return;
    try {
      lost = await look(options, watch, lost);
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, 'hosts could not be looked after; they will be again');
    }
  }
}

async function look(options: WatchHostsOptions, watch: HostWatch, before: Map<string, HostLoss>): Promise<Map<string, HostLoss>> {
  const { database, clock, logger, observer } = options;
  const followers = await options.followers?.();
  const services = await nodeServices(database.queries);
  const watched = services.map((service) => ({ ...service, signs: service.signs + (followers?.get(service.host) ?? 0) }));
  const losses = watch.lost(watched, clock.now(), clock.monotonic());
  const lost = new Map(losses.map((loss) => [loss.host, loss]));
  observer?.hostsLost?.(lost.size);
  for (const loss of losses) {
    const isNew = before.get(loss.host)?.kind !== loss.kind;
    if (isNew) await tellLoss(options, loss);
    if (loss.kind === 'silent' && options.canAsk(loss.host)) {
      if (isNew) await touchAll(options, loss.host);
    } else {
      await database.transaction((queries) => loseContainers(queries, loss.host, lossReason(loss), clock.now()));
      await loseCapsules(database, loss.host, lossReason(loss), clock.now());
    }
  }
  for (const host of before.keys()) {
    if (lost.has(host)) continue;
    logger.info({ host }, 'the host reports again; its containers are shown as they are');
    if (options.canAsk(host)) await touchAll(options, host);
  }
  return lost;
}

async function touchAll({ database, touch }: WatchHostsOptions, host: string): Promise<void> {
  for (const uuid of (await placedOn(database.queries, host)).keys()) touch(uuid);
}

async function tellLoss({ database, logger }: WatchHostsOptions, { host, kind, lastSeen }: HostLoss): Promise<void> {
  const placed = (await placedOn(database.queries, host)).size;
  const since = lastSeen === null ? null : new Date(lastSeen).toISOString();
  logger.warn(
    { host, since, placed },
    kind === 'declared'
      ? 'the host was declared down: its containers are left as they are and shown as Unknown. Nothing moves by itself: create elsewhere what is needed, or delete by force'
      : 'the host does not report: its containers are left as they are and shown as Unknown. Nothing moves by itself: have the host report again, create elsewhere what is needed, or delete by force',
  );
}
