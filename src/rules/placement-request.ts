import { noValidHost } from '../errors/catalogue.ts';
import { pythonNumber } from '../validation/python-number.ts';
import { ResourceGroups } from './resource-groups.ts';

/** What a container asks of Placement: cpus, memory in MiB as stored, disk in GiB, and what goes beyond them. */
export interface PlacementDemand {
  cpu: number | null;
  memory: string | null;
  disk: number | null;
  /** `resources:VCPU`, `resources1:CUSTOM_GPU`, `trait:HW_CPU_X86_AVX`, `group_policy`, `requested_host`, `hints`. */
  extraSpec: Readonly<Record<string, unknown>>;
  /** Resource provider uuids of the requested host's nodes; null when no host is requested. */
  nodesOfRequestedHost: readonly string[] | null;
}

export interface PlacementDefaults {
  cpu: number;
  memory: number;
  /** Most candidates to ask for. */
  maxResults: number;
}

export interface PlacementRequest {
  /** For `GET /allocation_candidates`. */
  query: string;
  /** Amounts of all groups together, by resource class. */
  resources: Record<string, number>;
}

/** A node whose service is disabled carries this trait. */
const DISABLED_TRAIT = 'CUSTOM_ZUN_COMPUTE_STATUS_DISABLED';
/** Hints that compare hosts: a limit on the candidates could leave out the one that fits. */
const COMPARING_HINTS = ['group', 'same_host', 'different_host'];

/**
 * The request to Placement for a container. Placement knows whole amounts above zero only, so cpus are rounded up and both
 * cpus and memory are at least 1. Amounts in `extraSpec` replace the container's. Throws NoValidHost when the requested host has no node.
 * Origin: zun/scheduler/utils.py, resources_from_request_spec; request_filter.py, process_reqspec.
 */
export function placementRequest(demand: PlacementDemand, defaults: PlacementDefaults): PlacementRequest {
  const groups = ResourceGroups.fromExtraSpec({ ...demand.extraSpec, [`trait:${DISABLED_TRAIT}`]: 'forbidden' });
  const explicit = groups.merged();
  groups.dropZeros();
  const shared = groups.group('');
  for (const [resourceClass, amount] of Object.entries(containerAmounts(demand, defaults))) {
    if (!(resourceClass in explicit)) {
      shared.resources[resourceClass] = amount;
    }
  }

  const nodes = demand.nodesOfRequestedHost;
  if (nodes?.length === 0) {
    throw noValidHost(`No such host - host: ${demand.extraSpec.requested_host} `);
  }
  if (nodes?.length === 1) {
    shared.inTree = nodes[0];
  }
  const hints = Object.keys((demand.extraSpec.hints as object | null | undefined) ?? {});
  // Placement takes one node in `in_tree`; with several, all candidates are needed to find them among.
  const unlimited = (nodes?.length ?? 0) > 1 || hints.some((hint) => COMPARING_HINTS.includes(hint));
  return { query: groups.query(unlimited ? null : defaults.maxResults), resources: groups.merged() };
}

function containerAmounts(demand: PlacementDemand, defaults: PlacementDefaults): Record<string, number> {
  const memory = demand.memory ? Number(pythonNumber(demand.memory)) : defaults.memory;
  return {
    VCPU: Math.max(1, Math.ceil(demand.cpu || defaults.cpu)),
    MEMORY_MB: Math.max(1, memory),
    ...(demand.disk ? { DISK_GB: demand.disk } : {}),
  };
}
