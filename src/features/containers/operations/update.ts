import type { Operation } from '../../../api/operation.ts';
import type { Queries } from '../../../db/database.ts';
import { containerNotFound } from '../../../errors/catalogue.ts';
import { requireState } from '../../../rules/valid-states.ts';
import { checkLimitQuota, claimLimits } from '../claim-limits.ts';
import type { Container } from '../container.ts';
import { type ContainerPatch, changesLimits, containerPatch, runtimeLimits } from '../container-patch.ts';
import type { ContainerServices } from '../container-services.ts';
import { updateContainer } from '../container-store.ts';
import { containerView } from '../container-view.ts';
import { loadAuthorized } from '../load-container.ts';
import { requireUniqueName } from '../require-unique-name.ts';
import { askRuntime } from '../runtime-refusal.ts';

/** Changes name, auto-heal and limits at once, and answers the container as it is then. Origin: containers.py (patch). */
export function update(services: ContainerServices): Operation {
  return {
    route: 'PATCH /v1/containers/{container_ident}',
    async handle(request) {
      const { container, registryUuid } = await loadAuthorized(services, request, 'container:update');
      requireState('update', container);
      const patch = containerPatch(request.params, container);
      const now = services.clock.now();
      const changed = Object.keys(patch).length > 0;
      const write = async (queries: Queries) => {
        if (patch.name) await requireUniqueName(queries, patch.name, request.context.projectId, services.settings.uniqueNameScope);
        if (!(await updateContainer(queries, container.uuid, patch, now))) throw containerNotFound(request.path.container_ident ?? '');
      };
      if (changesLimits(patch)) await changeLimits(services, container, patch, write);
      else if (changed) await services.database.transaction(write);
      const after = { ...container, ...patch, updatedAt: changed ? now : container.updatedAt };
      return { status: 200, body: containerView(services.policy, request, services.clock)(after, registryUuid) };
    },
  };
}

/**
 * Quota, claim, engine, row, in this order; what a later one refuses is taken back from the earlier ones. The quota is counted
 * again with the write, since two requests may have passed the first count.
 */
async function changeLimits(
  services: ContainerServices,
  container: Container,
  patch: ContainerPatch,
  write: (queries: Queries) => Promise<void>,
): Promise<void> {
  await services.database.transaction((queries) => checkLimitQuota(services, queries, container, patch));
  await claimLimits(services, container, patch);
  try {
    await askRuntime(services, container, (runtime, signal) => runtime.update(container.uuid, runtimeLimits(patch), signal));
    try {
      await services.database.transaction(async (queries) => {
        await checkLimitQuota(services, queries, container, patch);
        await write(queries);
      });
    } catch (error) {
      await askRuntime(services, container, (runtime, signal) => runtime.update(container.uuid, runtimeLimits(container), signal));
      throw error;
    }
  } catch (error) {
    await claimLimits(services, container, {});
    throw error;
  }
}
