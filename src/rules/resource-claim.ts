import { resourcesUnavailable } from '../errors/catalogue.ts';
import { pythonRepr } from '../validation/python-repr.ts';
import { PythonFloat } from '../validation/python-value.ts';

/** What a container asks for: cpus, memory in MiB as stored, disk in GiB. */
export interface ClaimRequest {
  cpu: number | null;
  memory: string | null;
  disk: number | null;
}

/** What a node has in use. */
export interface ClaimUsage {
  cpuUsed: number;
  memUsed: number;
  diskUsed: number;
}

/** How much may be in use together; a resource without a limit is not tested. */
export interface ClaimLimits {
  cpu?: number;
  memory?: number;
  disk?: number;
}

/**
 * Throws ResourcesUnavailable, with every resource that is short, when the request does not fit the limits.
 * Origin: zun/compute/claims.py, Claim._claim_test (without PCI devices and CPU sets).
 */
export function requireClaim(request: ClaimRequest, usage: ClaimUsage, limits: ClaimLimits): void {
  const memory = Number.parseInt(request.memory || '0', 10);
  const shortages = [
    shortage('memory', 'MB', memory, String(memory), usage.memUsed, limits.memory),
    shortage('vcpu', 'VCPU', request.cpu ?? 0, pythonRepr(request.cpu ? new PythonFloat(request.cpu) : 0), usage.cpuUsed, limits.cpu),
    shortage('disk', 'GB', request.disk ?? 0, String(request.disk ?? 0), usage.diskUsed, limits.disk),
  ].filter((each) => each !== null);
  if (shortages.length > 0) {
    throw resourcesUnavailable(shortages.join('; '));
  }
}

function shortage(name: string, unit: string, requested: number, printed: string, used: number, limit: number | undefined): string | null {
  if (limit === undefined || requested <= limit - used) {
    return null;
  }
  return `Free ${name} ${(limit - used).toFixed(2)} ${unit} < requested ${printed} ${unit}`;
}
