import type { V1ResourceRequirements } from '@kubernetes/client-node';
import { RuntimeFault } from '../../runtime-fault.ts';
import { canonicalQuantity } from './canonical-quantity.ts';
import type { PodSettings } from './pod-settings.ts';

/** As the specification has them; absent, `null` and 0 mean no limit. */
export interface WantedResources {
  /** Cores. */
  cpu?: number | null;
  memoryMiB?: number | null;
  diskGiB?: number;
}

/** Docker's least memory, too: with less, runc's own start is killed. */
const leastMemoryMiB = 6;

/**
 * Limits, and requests that are limits divided by Placement's allocation ratios: rounded down, so that kube-scheduler never refuses
 * what Placement has promised. A Pod is always of the quality-of-service class Burstable: it asks for a thousandth of a core at least, and
 * for less memory than its limit, since Kubernetes refuses a later `update` that would change the class. Fault `invalid` for memory
 * that nothing starts in. Pure.
 */
export function podResources(wanted: WantedResources, ratios: PodSettings['allocationRatios']): V1ResourceRequirements {
  const limits: Record<string, string> = {};
  const requests: Record<string, string> = { cpu: '1m' };
  if (wanted.cpu) {
    const limit = Math.max(1, Math.round(wanted.cpu * 1000));
    limits.cpu = canonicalQuantity.millicores(limit);
    requests.cpu = canonicalQuantity.millicores(Math.max(1, Math.floor(limit / ratios.cpu)));
  }
  if (wanted.memoryMiB) {
    const limit = memoryKibibytes(wanted.memoryMiB);
    limits.memory = canonicalQuantity.kibibytes(limit);
    requests.memory = canonicalQuantity.kibibytes(Math.min(limit - 1, Math.floor(limit / ratios.memory)));
  }
  if (wanted.diskGiB) {
    const limit = wanted.diskGiB * 1024 * 1024;
    limits['ephemeral-storage'] = canonicalQuantity.kibibytes(limit);
    requests['ephemeral-storage'] = canonicalQuantity.kibibytes(Math.floor(limit / (ratios.disk ?? 1)));
  }
  return { ...(Object.keys(limits).length === 0 ? {} : { limits }), requests };
}

function memoryKibibytes(memoryMiB: number): number {
  if (memoryMiB < leastMemoryMiB) {
    throw new RuntimeFault('invalid', `Invalid value '${memoryMiB}' for memory: a container needs ${leastMemoryMiB} MiB to start.`);
  }
  return Math.round(memoryMiB * 1024);
}
