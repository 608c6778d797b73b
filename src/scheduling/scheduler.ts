import { type CandidateHost, HOST_FILTERS, type HostFilterSettings, type HostRequest } from '../rules/host-filters.ts';
import type { Clock } from '../telemetry/clock.ts';
import type { Candidate, Inventory, ResourceRequest } from './inventory.ts';

/** A node as the filters see it, with what ties it to its candidate. */
export interface SchedulableHost extends CandidateHost {
  hostname: string;
  resourceProviderUuid: string;
}

/** Reads the nodes of these resource providers, joined with their services. */
export type HostSource = (resourceProviderUuids: string[]) => Promise<SchedulableHost[]>;

export interface Scheduler {
  /** The host whose claim succeeded, or `null` when none is left (the original's NoValidHost). */
  place(
    consumer: string,
    resources: ResourceRequest,
    wish: HostRequest,
    owner: { projectId: string; userId: string },
  ): Promise<string | null>;
  /** Changes the claim of a placed container; `false` when there is no room. */
  resize(consumer: string, resources: ResourceRequest): Promise<boolean>;
  release(consumer: string): Promise<void>;
}

export interface SchedulerOptions {
  inventory: Inventory;
  hosts: HostSource;
  clock: Clock;
  /** Names of `HOST_FILTERS`, in order. */
  enabledFilters: string[];
  settings: Omit<HostFilterSettings, 'now'>;
}

/**
 * Candidates, filters, claim: the first host that passes and whose claim succeeds.
 * Origin: zun/scheduler/filter_scheduler.py, zun/scheduler/client/query.py.
 */
export function filterScheduler(options: SchedulerOptions): Scheduler {
  const { inventory, clock } = options;
  const filters = options.enabledFilters.map((name) => {
    const filter = HOST_FILTERS[name];
    if (!filter)
      throw new Error(`scheduler.enabled_filters: there is no filter '${name}'; there are ${Object.keys(HOST_FILTERS).join(', ')}`);
    return filter;
  });
  return {
    async place(consumer, resources, wish, owner) {
      const candidates = await inventory.candidates(resources);
      if (candidates.length === 0) return null;
      const byProvider = new Map<string, Candidate>(candidates.map((candidate) => [candidate.resourceProviderUuid, candidate]));
      const settings: HostFilterSettings = { ...options.settings, now: clock.now() };
      for (const host of await options.hosts([...byProvider.keys()])) {
        const candidate = byProvider.get(host.resourceProviderUuid);
        const wanted = resources.host === null || resources.host === host.hostname;
        if (!candidate || !wanted || filters.some((filter) => filter(host, wish, settings) === null)) continue;
        if (await inventory.claim(consumer, candidate, owner)) return host.hostname;
      }
      return null;
    },
    resize: (consumer, resources) => inventory.resize(consumer, resources),
    release: (consumer) => inventory.release(consumer),
  };
}
