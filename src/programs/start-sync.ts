import type { CapsuleServices } from '../features/capsules/capsule-services.ts';
import { differingCapsules, reconcileCapsule } from '../features/capsules/reconcile-capsule.ts';
import { repairCapsules } from '../features/capsules/repair-capsules.ts';
import { probeHealth } from '../features/containers/health-prober.ts';
import { differingContainers, reconcileContainer } from '../features/containers/reconcile-container.ts';
import { repairClaims } from '../features/containers/repair-claims.ts';
import { watchHosts } from '../features/hosts/watch-hosts.ts';
import { fencedDatabase } from '../sync/fenced-database.ts';
import { type LeaseTimes, lead } from '../sync/lead.ts';
import { type Leadership, soleLeadership } from '../sync/leadership.ts';
import { renewalsOf } from '../sync/lease-store.ts';
import { type StateSync, startStateSync } from '../sync/state-sync.ts';
import type { ZunParts } from './zun-parts.ts';

type SyncParts = Pick<ZunParts, 'settings' | 'runtime' | 'inventory' | 'database' | 'clock' | 'logger' | 'observers'>;

/** One of those of whom one does it. */
export interface Candidate {
  /** Names this process. */
  holder: string;
  /** The same for all; `leaseTimes` where none are given. */
  times?: LeaseTimes;
}

/**
 * Keeps rows true: follows the runtime, runs health checks that it does not run, sets claims right, looks after lost hosts. One process
 * does that at a time. A runtime that spans hosts is followed by one for all of them (lease `sync`); an engine by one of its host
 * (`sync:<host>`), and hosts are looked after by one of them all (`hosts`). `candidate` says who this process is in the leases; `null` = it
 * is the only one, and waits for nobody.
 */
export function startSync(parts: SyncParts, services: CapsuleServices, candidate: Candidate | null): StateSync {
  const first = Promise.withResolvers<void>();
  let following: StateSync | null = null;
  const touch = (uuid: string) => following?.touch(uuid);

  const follow = async (leadership: Leadership) => {
    following = followRuntime(parts, ledBy(services, leadership), leadership.signal);
    void following.firstListing.then(first.resolve);
    await lookAfter(parts, ledBy(services, leadership), touch, leadership.signal);
    await following.stop();
    following = null;
  };
  const watch = (leadership: Leadership) => lookAfterHosts(parts, ledBy(services, leadership), touch, leadership.signal);

  const leases = parts.runtime.spansHosts
    ? { sync: async (leadership: Leadership) => void (await Promise.all([follow(leadership), watch(leadership)])) }
    : { [followerOf + parts.settings.host]: follow, hosts: watch };
  const works = Object.entries(leases).map(([name, work]) => (candidate === null ? alone(work) : elected(parts, name, candidate, work)));
  return {
    firstListing: first.promise,
    touch,
    stop: async () => void (await Promise.all(works.map((work) => work.stop()))),
  };
}

/** What the lease of one who follows the engine of a host is called, before the host's name. */
const followerOf = 'sync:';

type Work = (leadership: Leadership) => Promise<void>;

function alone(work: Work): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const done = work(soleLeadership(stopping.signal));
  return {
    stop() {
      stopping.abort();
      return done;
    },
  };
}

function elected(
  { database, clock, logger, observers }: SyncParts,
  name: string,
  candidate: Candidate,
  work: Work,
): { stop(): Promise<void> } {
  return lead({ database, clock, logger, name, ...candidate, work, ...(observers ? { observer: observers.sync } : {}) });
}

function ledBy(services: CapsuleServices, leadership: Leadership): CapsuleServices {
  return { ...services, database: fencedDatabase(services.database, leadership) };
}

/** Whose rows are followed: this host's, or everybody's. */
const scopeOf = ({ runtime, settings }: SyncParts): string | null => (runtime.spansHosts ? null : settings.host);

function followRuntime(parts: SyncParts, services: CapsuleServices, signal: AbortSignal): StateSync {
  const { settings, clock, logger, runtime } = parts;
  const host = scopeOf(parts);
  return startStateSync({
    runtime,
    async reconcile(uuid) {
      return (await reconcileCapsule(services, uuid, signal)) ?? reconcileContainer(services, uuid, signal);
    },
    async differing(observations) {
      await repairCapsules(services, host, observations);
      const containers = await differingContainers(services, host, observations);
      return [...containers, ...(await differingCapsules(services, host, observations))];
    },
    clock,
    logger,
    listInterval: settings.sync.listIntervalMilliseconds,
    ...(parts.observers ? { observer: parts.observers.sync } : {}),
  });
}

async function lookAfter(parts: SyncParts, services: CapsuleServices, touch: (uuid: string) => void, signal: AbortSignal): Promise<void> {
  const { inventory, settings } = parts;
  const host = scopeOf(parts);
  const probing = probeHealth(services, host, touch, signal);
  const intervalMilliseconds = settings.sync.listIntervalMilliseconds;
  await Promise.all([probing, repairClaims(services, inventory, { host, intervalMilliseconds, signal })]);
}

function lookAfterHosts(parts: SyncParts, services: CapsuleServices, touch: (uuid: string) => void, signal: AbortSignal): Promise<void> {
  const { runtime, settings, observers } = parts;
  return watchHosts({
    ...services,
    downTimeSeconds: settings.scheduler.serviceDownTimeSeconds,
    canAsk: (host) => runtime.spansHosts || host === settings.host,
    ...(runtime.spansHosts ? {} : { followers: () => renewalsOf(services.database.queries, followerOf) }),
    touch,
    signal,
    ...(observers ? { observer: observers.sync } : {}),
  });
}
