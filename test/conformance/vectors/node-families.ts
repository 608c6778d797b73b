import { parseCpuSet } from '../../../src/rules/cpu-set.ts';
import { type CandidateHost, HOST_FILTERS, type HostLimits, type HostRequest } from '../../../src/rules/host-filters.ts';
import { placementRequest } from '../../../src/rules/placement-request.ts';
import { type ClaimLimits, type ClaimRequest, requireClaim } from '../../../src/rules/resource-claim.ts';
import { type DockerState, dockerStatus, type ZunStatus } from '../../../src/sync/docker-status.ts';
import { type DockerConfig, hostnameAndPorts } from '../../../src/sync/hostname-and-ports.ts';
import { statusAge } from '../../../src/sync/status-age.ts';
import { family, type VectorFamily } from './vector-family.ts';

const now = Date.UTC(2026, 2, 1, 12);

/** Rules of scheduling and of what an engine says. */
export const nodeFamilies: Record<string, VectorFamily> = {
  parse_floating_cpu: family<string>(parseCpuSet),
  status_age: family<string>((time) => statusAge(time, now)),
  hostname_and_ports: family<{ hostname: string | null; config: DockerConfig }>(({ hostname, config }) =>
    hostnameAndPorts(hostname, config),
  ),
  docker_state_mapping: family<{ state: DockerState | string | null; previous: ZunStatus; task_state: string | null; force: boolean }>(
    (given) => {
      const previous = { status: given.previous, statusReason: 'old reason', statusDetail: 'old detail' };
      const { status, statusReason, statusDetail } = dockerStatus(given.state, previous, {
        taskState: given.task_state,
        force: given.force,
        now,
      });
      return { status, status_reason: statusReason, status_detail: statusDetail };
    },
  ),
  claims: family<ClaimRequest & { resources: Record<string, number>; limits: ClaimLimits | null }>(({ resources, limits, ...request }) => {
    const { cpu_used: cpuUsed = 0, mem_used: memUsed = 0, disk_used: diskUsed = 0 } = resources;
    requireClaim(request, { cpuUsed, memUsed, diskUsed }, limits ?? {});
    return true;
  }),
  placement_query: family<{ extra_spec: Record<string, unknown>; nodes_of_requested_host: string[] | null } & Record<string, unknown>>(
    (given) => {
      const { extra_spec: extraSpec, nodes_of_requested_host: nodesOfRequestedHost, cpu, memory, disk } = given;
      const amounts = { cpu, memory, disk } as { cpu: number | null; memory: string | null; disk: number | null };
      return placementRequest({ ...amounts, extraSpec, nodesOfRequestedHost }, { cpu: 1, memory: 512, maxResults: 1000 });
    },
  ),
  host_filters: family<FilterInput>((given) => {
    const limits = filterLimits(given);
    return { out: limits !== null, limits: limits ? inRecordedWords(limits) : {} };
  }),
};

interface RecordedNode {
  id: number;
  cpuset: number[];
  pinned_cpus: number[];
  mem_available: number;
}

interface FilterInput {
  filter: string;
  host: Record<string, unknown> & {
    service?: { availability_zone?: string; disabled?: boolean; forced_down?: boolean; seconds_ago?: number };
    numa?: RecordedNode[];
  };
  container: Record<string, unknown> & { cpu_policy?: string };
  extra_spec: { availability_zone?: string; hints?: Record<string, string> | null };
  config: { default_schedule_zone?: string; default_availability_zone?: string; 'compute.enable_cpu_pinning'?: boolean };
}

function filterLimits({ filter, host, container, extra_spec, config }: FilterInput): HostLimits | null {
  const request = {
    ...{ cpu: null, memory: null, disk: null, runtime: null },
    ...container,
    cpuPolicy: container.cpu_policy ?? null,
    availabilityZone: extra_spec.availability_zone ?? null,
    hints: extra_spec.hints ?? null,
  } as HostRequest;
  const check = HOST_FILTERS[filter];
  if (!check) throw new Error(`no filter ${filter}`);
  return check(candidateHost(host), request, {
    now,
    serviceDownTimeSeconds: 180,
    defaultScheduleZone: config.default_schedule_zone ?? null,
    defaultAvailabilityZone: config.default_availability_zone ?? 'nova',
    enableCpuPinning: config['compute.enable_cpu_pinning'] ?? false,
  });
}

function candidateHost({ service = {}, numa = [], ...figures }: FilterInput['host']): CandidateHost {
  const camelCase = Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase()), value]),
  );
  return {
    ...camelCase,
    service: {
      availabilityZone: service.availability_zone ?? null,
      disabled: service.disabled ?? false,
      forcedDown: service.forced_down ?? false,
      lastSeenUp: now - (service.seconds_ago ?? 0) * 1000,
      updatedAt: null,
      createdAt: null,
    },
    numaNodes: numa.map(({ pinned_cpus: pinnedCpus, mem_available: memAvailable, ...node }) => ({ ...node, pinnedCpus, memAvailable })),
  } as unknown as CandidateHost;
}

function inRecordedWords({ cpuset, ...limits }: HostLimits): unknown {
  if (!cpuset) return limits;
  const { id, pinnedCpus, memAvailable } = cpuset;
  return {
    ...limits,
    cpuset: { node: id, cpuset_cpu: { $set: cpuset.cpuset }, cpuset_cpu_pinned: { $set: pinnedCpus }, cpuset_mem: memAvailable },
  };
}
