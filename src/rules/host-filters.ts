import { type ServiceHeartbeat, serviceIsUp } from './service-is-up.ts';

/** A node that may take the container: cpus, memory in MiB, disk in GiB. */
export interface CandidateHost {
  service: ServiceHeartbeat & { disabled: boolean; availabilityZone: string | null };
  cpus: number;
  cpuUsed: number;
  memTotal: number;
  memUsed: number;
  diskTotal: number;
  diskUsed: number;
  diskQuotaSupported: boolean;
  labels: Record<string, string>;
  runtimes: readonly string[];
  enableCpuPinning: boolean;
  numaNodes: readonly NumaNode[];
}

export interface NumaNode {
  id: number;
  cpuset: readonly number[];
  pinnedCpus: readonly number[];
  memAvailable: number;
}

/** What the container asks of its node. */
export interface HostRequest {
  cpu: number | null;
  memory: string | null;
  disk: number | null;
  runtime: string | null;
  cpuPolicy: string | null;
  availabilityZone: string | null;
  hints: Record<string, string> | null;
}

export interface HostFilterSettings {
  /** Epoch milliseconds. */
  now: number;
  serviceDownTimeSeconds: number;
  defaultScheduleZone: string | null;
  defaultAvailabilityZone: string;
  /** Nodes pin CPUs, and so take no container that shares them. */
  enableCpuPinning: boolean;
}

/** What the claim on the node has to keep to. */
export interface HostLimits {
  cpu?: number;
  memory?: number;
  disk?: number;
  cpuset?: NumaNode;
}

/** The limits a passing host brings, empty for most; null for a host that does not pass. */
export type HostFilter = (host: CandidateHost, request: HostRequest, settings: HostFilterSettings) => HostLimits | null;

const passesIf = (passes: boolean, limits: HostLimits = {}): HostLimits | null => (passes ? limits : null);

/**
 * The filters by the names that configuration uses. Origin: zun/scheduler/filters, one class a filter; PciPassthroughFilter is left out.
 * Where a request without hints made the original's LabelFilter crash, it passes.
 */
export const HOST_FILTERS: Readonly<Record<string, HostFilter>> = {
  AvailabilityZoneFilter: (host, request, settings) => {
    const wanted = request.availabilityZone || settings.defaultScheduleZone;
    return passesIf(!wanted || wanted === (host.service.availabilityZone || settings.defaultAvailabilityZone));
  },

  ComputeFilter: (host, _request, settings) =>
    passesIf(!host.service.disabled && serviceIsUp(host.service, settings.now, settings.serviceDownTimeSeconds)),

  CPUFilter: (host, { cpu }) => (cpu ? passesIf(cpu <= host.cpus - host.cpuUsed, { cpu: host.cpus }) : {}),

  RamFilter: (host, { memory }) => {
    const wanted = wholeMemory(memory);
    return memory ? passesIf(wanted <= host.memTotal - host.memUsed, { memory: host.memTotal }) : {};
  },

  DiskFilter: (host, { disk }) =>
    disk ? passesIf(host.diskQuotaSupported && disk <= host.diskTotal - host.diskUsed, { disk: host.diskTotal }) : {},

  LabelFilter: (host, { hints }) => {
    const wanted = Object.entries(hints ?? {}).filter(([key]) => key.startsWith('label:'));
    return passesIf(wanted.every(([key, value]) => host.labels[key.slice('label:'.length)] === value));
  },

  RuntimeFilter: (host, { runtime }) => passesIf(!runtime || host.runtimes.includes(runtime)),

  CpuSetFilter: (host, request, settings) => {
    if (request.cpuPolicy !== 'dedicated') {
      return passesIf(!settings.enableCpuPinning);
    }
    const cpus = request.cpu ?? 0;
    const memory = wholeMemory(request.memory);
    const node = host.numaNodes.find((each) => each.cpuset.length - each.pinnedCpus.length >= cpus && each.memAvailable >= memory);
    return node && host.enableCpuPinning ? { cpuset: node } : null;
  },
};

function wholeMemory(memory: string | null): number {
  return Number.parseInt(memory || '0', 10);
}
