import type { ResourceRequest } from './inventory.ts';

/**
 * What a container takes of a node, in Placement's whole units: cpus rounded up, at least 1 VCPU and 1 MiB.
 * Origin: zun/scheduler/utils.py (resources_from_request_spec).
 */
export function resourceRequest(
  container: { cpu: number | null; memory: string | null; disk: number | null },
  host: string | null,
): ResourceRequest {
  return {
    vcpu: Math.max(1, Math.ceil(container.cpu ?? 0)),
    memoryMb: Math.max(1, Number(container.memory ?? 0)),
    diskGb: container.disk ?? 0,
    host,
  };
}
