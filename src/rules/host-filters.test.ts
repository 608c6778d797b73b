import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadVectors } from '../../test/contract/vectors.ts';
import { type CandidateHost, HOST_FILTERS, type HostLimits, type HostRequest, type NumaNode } from './host-filters.ts';

interface RecordedNode {
  id: number;
  cpuset: number[];
  pinned_cpus: number[];
  mem_available: number;
}

interface Input {
  filter: string;
  host: Record<string, unknown> & {
    service?: { availability_zone?: string; disabled?: boolean; forced_down?: boolean; seconds_ago?: number };
    numa?: RecordedNode[];
  };
  container: Record<string, unknown> & { cpu_policy?: string };
  extra_spec: { availability_zone?: string; hints?: Record<string, string> | null };
  config: { default_schedule_zone?: string; default_availability_zone?: string; 'compute.enable_cpu_pinning'?: boolean };
}

interface RecordedLimits {
  cpuset?: { node: number; cpuset_cpu: { $set: number[] }; cpuset_cpu_pinned: { $set: number[] }; cpuset_mem: number };
}

const NOW = Date.UTC(2026, 2, 1, 12);

function hostOf({ service = {}, numa = [], ...figures }: Input['host']): CandidateHost {
  const { cpus, cpu_used, mem_total, mem_used, disk_total, disk_used, disk_quota_supported, labels, runtimes, enable_cpu_pinning } =
    figures;
  const camelCase = {
    cpus,
    cpuUsed: cpu_used,
    memTotal: mem_total,
    memUsed: mem_used,
    diskTotal: disk_total,
    diskUsed: disk_used,
    diskQuotaSupported: disk_quota_supported,
    labels,
    runtimes,
    enableCpuPinning: enable_cpu_pinning,
  };
  return {
    ...camelCase,
    service: {
      availabilityZone: service.availability_zone ?? null,
      disabled: service.disabled ?? false,
      forcedDown: service.forced_down ?? false,
      lastSeenUp: NOW - (service.seconds_ago ?? 0) * 1000,
      updatedAt: null,
      createdAt: null,
    },
    numaNodes: numa.map(({ id, cpuset, pinned_cpus, mem_available }) => ({
      id,
      cpuset,
      pinnedCpus: pinned_cpus,
      memAvailable: mem_available,
    })),
  } as CandidateHost;
}

function recordedLimits({ cpuset, ...limits }: HostLimits) {
  const inWords = (node: NumaNode) => ({
    node: node.id,
    cpuset_cpu: { $set: node.cpuset },
    cpuset_cpu_pinned: { $set: node.pinnedCpus },
    cpuset_mem: node.memAvailable,
  });
  return cpuset ? { ...limits, cpuset: inWords(cpuset) } : limits;
}

test('each filter passes and limits the hosts that the original does; a request without hints passes instead of crashing', () => {
  const { cases } = loadVectors<Input, boolean>('host_filters');
  assert.equal(cases.length, 81);
  for (const { in: given, ...recorded } of cases) {
    const { host, container, extra_spec, config } = given;
    const request = {
      cpu: null,
      memory: null,
      disk: null,
      runtime: null,
      ...container,
      cpuPolicy: container.cpu_policy ?? null,
      availabilityZone: extra_spec.availability_zone ?? null,
      hints: extra_spec.hints ?? null,
    } as HostRequest;
    const limits = HOST_FILTERS[given.filter]?.(hostOf(host), request, {
      now: NOW,
      serviceDownTimeSeconds: 180,
      defaultScheduleZone: config.default_schedule_zone ?? null,
      defaultAvailabilityZone: config.default_availability_zone ?? 'nova',
      enableCpuPinning: config['compute.enable_cpu_pinning'] ?? false,
    });
    const label = JSON.stringify(given);
    assert.equal(limits !== null, recorded.error ? true : recorded.out, label);
    const { limits: expected = {} } = recorded as { limits?: RecordedLimits };
    assert.deepEqual(limits ? recordedLimits(limits) : {}, expected, label);
  }
});
