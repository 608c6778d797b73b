import type { Claim, Inventory } from '../../scheduling/inventory.ts';
import { resourceRequest } from '../../scheduling/resource-request.ts';
import { hostnames } from '../hosts/compute-node-store.ts';
import { type Container, containerTypes } from './container.ts';
import type { ContainerServices } from './container-services.ts';
import { containerByUuid, placedOn } from './container-store.ts';
import { restoreLimits } from './restore-limits.ts';

/**
 * Brings the claims on a host, on all of them for `null`, in line with its rows until the signal aborts. A request claims before its row is written and gives
 * the claim back when it fails; one whose process dies between, or that nobody answers then, leaves a claim without a container, or
 * one that is not what the row says. What is so twice, an interval apart, is no request that is under way.
 */
export async function repairClaims(
  services: ContainerServices,
  inventory: Pick<Inventory, 'claimsOn'>,
  { host, intervalMilliseconds, signal }: { host: string | null; intervalMilliseconds: number; signal: AbortSignal },
): Promise<void> {
  let suspects = new Set<string>();
  while (!signal.aborted) {
    await services.clock.sleep(intervalMilliseconds, signal);
    if (signal.aborted) return;
    try {
      const wrong: Claim[] = [];
      for (const each of host === null ? await hostnames(services.database.queries) : [host])
        wrong.push(...(await wrongClaims(services, await inventory.claimsOn(each), each)));
      const before = suspects;
      suspects = new Set(wrong.map(textOf));
      for (const claim of wrong) if (before.has(textOf(claim))) await repair(services, claim);
    } catch (error) {
      if (!signal.aborted) services.logger.warn({ err: error, host }, 'the claims could not be compared with the rows; they will be again');
    }
  }
}

const textOf = ({ consumer, vcpu, memoryMb, diskGb }: Claim): string => [consumer, vcpu, memoryMb, diskGb].join(' ');

/** Claims without a row, and those that differ from it. A task that is under way has its claim to itself. One query, two with claims. */
async function wrongClaims({ database, tasks }: ContainerServices, claims: Claim[], host: string): Promise<Claim[]> {
  if (claims.length === 0) return [];
  const placed = await placedOn(database.queries, host);
  const suspects = claims.filter((claim) => differs(claim, placed.get(claim.consumer)));
  if (suspects.length === 0) return [];
  const busy = await tasks.busySubjects();
  return suspects.filter(({ consumer }) => !busy.has(consumer));
}

/** A capsule's limits never change. */
function differs(claim: Claim, row: Pick<Container, 'containerType' | 'cpu' | 'memory' | 'disk'> | undefined): boolean {
  if (!row) return true;
  if (row.containerType !== containerTypes.container) return false;
  const { vcpu, memoryMb, diskGb } = resourceRequest(row, null);
  return claim.vcpu !== vcpu || claim.memoryMb !== memoryMb || claim.diskGb !== diskGb;
}

/** Gives back what nobody holds. Where claim and row differ the engine may have either's limits: a task sets both to the row's. */
async function repair(services: ContainerServices, { consumer }: Claim): Promise<void> {
  const { database, scheduler, logger } = services;
  const row = await containerByUuid(database.queries, consumer);
  if (!row) {
    await scheduler.release(consumer);
    logger.warn({ container: consumer }, 'a claim of no container was given back');
    return;
  }
  await restoreLimits(services, consumer);
  logger.warn({ container: consumer }, 'a claim that was not what its container has is set right');
}
