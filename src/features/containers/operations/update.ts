import type { Operation } from '../../../api/operation.ts';
import type { Queries } from '../../../db/database.ts';
import { containerNotFound } from '../../../errors/catalogue.ts';
import { ZunError } from '../../../errors/zun-error.ts';
import { requireState } from '../../../rules/valid-states.ts';
import { checkLimitQuota, claimLimits } from '../claim-limits.ts';
import type { Container } from '../container.ts';
import { type ContainerPatch, changesLimits, containerPatch, runtimeLimits } from '../container-patch.ts';
import type { ContainerServices } from '../container-services.ts';
import { containerByUuid, updateContainer } from '../container-store.ts';
import { containerView } from '../container-view.ts';
import { loadAuthorized } from '../load-container.ts';
import { requireUniqueName } from '../require-unique-name.ts';
import { restoreLimits } from '../restore-limits.ts';
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
 * Quota, claim, engine, row, in this order; what a later one refuses is taken back from the earlier ones, now or soon. The quota is counted
 * again with the write, since two requests may have passed the first count.
 */
async function changeLimits(
  services: ContainerServices,
  container: Container,
  patch: ContainerPatch,
  write: (queries: Queries) => Promise<void>,
): Promise<void> {
  await services.database.transaction((queries) => checkLimitQuota(services, queries, container, patch));
  const setLimits = (limits: ContainerPatch) =>
    askRuntime(services, container, (runtime, signal) => runtime.update(container.uuid, runtimeLimits(limits), signal));
  await claimLimits(services, container, patch);
  try {
    await setLimits(patch);
    await services.database.transaction(async (queries) => {
      await checkLimitQuota(services, queries, container, patch);
      await write(queries);
    });
  } catch (error) {
    await takeBack(services, container, setLimits);
    throw error;
  }
}

/**
 * Whatever of it cannot be done now, a task does. A refusal by the engine means that its limits never were others. A container that is
 * gone by now holds nothing, and claims nothing again.
 */
async function takeBack(
  services: ContainerServices,
  { uuid }: Container,
  setLimits: (limits: ContainerPatch) => Promise<void>,
): Promise<void> {
  const container = await containerByUuid(services.database.queries, uuid);
  if (!container) return services.scheduler.release(uuid);
  try {
    await setLimits(container);
  } catch (error) {
    if (!(error instanceof ZunError) || error.status === 503) await restoreLimits(services, uuid);
  }
  await claimLimits(services, container, {}).catch(() => restoreLimits(services, uuid));
}
