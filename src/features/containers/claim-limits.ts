import type { Queries } from '../../db/database.ts';
import { conflict } from '../../errors/catalogue.ts';
import { resourceRequest } from '../../scheduling/resource-request.ts';
import { checkQuota } from '../quotas/quota-check.ts';
import type { Container } from './container.ts';
import type { ContainerPatch } from './container-patch.ts';
import type { ContainerServices } from './container-services.ts';

type Limited = Pick<Container, 'uuid' | 'projectId' | 'host' | 'cpu' | 'memory' | 'disk'>;

/** Refuses (403) what the new limits would take the container's project over its quota, in the caller's transaction. */
export async function checkLimitQuota(
  services: Pick<ContainerServices, 'settings' | 'clock'>,
  transaction: Queries,
  container: Limited,
  patch: ContainerPatch,
): Promise<void> {
  await checkQuota(transaction, {
    projectId: container.projectId,
    added: {
      containers: 0,
      cpu: (patch.cpu ?? container.cpu ?? 0) - (container.cpu ?? 0),
      memory: Number(patch.memory ?? container.memory ?? 0) - Number(container.memory ?? 0),
      disk: 0,
    },
    configured: services.settings.quotaDefaults,
  });
}

/**
 * Makes the container's claim on its node that of the new limits; 409 when the node has no room, and then the old claim stands.
 * The original leaves the claim as it was, whatever the limits become.
 */
export async function claimLimits(
  services: Pick<ContainerServices, 'scheduler'>,
  container: Limited,
  patch: ContainerPatch,
): Promise<void> {
  const resources = resourceRequest({ ...container, ...patch }, container.host);
  if (await services.scheduler.resize(container.uuid, resources)) return;
  throw conflict(
    `Insufficient compute resources: host ${container.host} has no room for ${resources.vcpu} VCPU and ${resources.memoryMb} MiB of memory.`,
  );
}
