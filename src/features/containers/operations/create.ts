import { ownTarget } from '../../../api/authorizer.ts';
import type { ApiRequest, Operation } from '../../../api/operation.ts';
import { requestedHostNotFound } from '../../../errors/catalogue.ts';
import { booleanFromString } from '../../../rules/boolean-from-string.ts';
import { generateContainerName } from '../../../rules/name-generator.ts';
import { resourceRequest } from '../../../scheduling/resource-request.ts';
import { checkQuota } from '../../quotas/quota-check.ts';
import { type Container, containerTypes } from '../container.ts';
import type { ContainerServices } from '../container-services.ts';
import { hostExists, insertContainer, registryOf } from '../container-store.ts';
import { containerView } from '../container-view.ts';
import { insertContainerVolume } from '../container-volumes.ts';
import { type ContainerDraft, containerDraft, refuseWhatNoNodeDoes, withoutNulls } from '../create-request.ts';
import { enqueueAction } from '../enqueue-action.ts';
import { type NetRequest, requestedNetworks, requireAddressesFit } from '../requested-networks.ts';
import { type MountRequest, requestedVolumes } from '../requested-volumes.ts';
import { requireExternalAllowed } from '../require-external-allowed.ts';
import { requireUniqueName } from '../require-unique-name.ts';
import type { CreatePayload } from '../sagas/create.ts';

/**
 * Creates (and with `run=true` starts) a container: 202 once row, action and task are committed together. Everything
 * that can be refused is refused before. No host with room is not an error: the row says Error, as in the original.
 * Origin: zun/api/controllers/v1/containers.py (_do_post), zun/compute/api.py (container_create).
 */
export function create(services: ContainerServices): Operation {
  return { route: 'POST /v1/containers', handle: (request) => handle(services, request) };
}

async function handle(services: ContainerServices, request: ApiRequest) {
  const { context } = request;
  const { networking, volumes, ids, clock } = services;
  services.policy.authorize(context, 'container:create', ownTarget(context));
  const params = withoutNulls(request.params);
  const run = booleanFromString((params.run as string | boolean | undefined) ?? false, 'run or interactive');
  const groups = params.security_groups as string[] | undefined;
  const securityGroups = groups?.length ? await networking.findSecurityGroups([...new Set(groups)], context.projectId) : (groups ?? null);
  const authorize = (rule: string) => services.policy.authorize(context, rule, ownTarget(context));
  const draft = containerDraft(request, services.settings, () => generateContainerName(ids), authorize);
  if (params.host) authorize('container:create:requested_destination');
  refuseWhatNoNodeDoes(params);
  const networks = await requestedNetworks(networking, context, (params.nets as NetRequest[] | undefined) ?? []);
  requireExternalAllowed(services.policy, context, networks);
  await requireAddressesFit(networking, context, networks);
  const volumeDrafts = await requestedVolumes(volumes, ids, context, (params.mounts as MountRequest[] | undefined) ?? []);
  const registry = params.registry ? await registryOf(services.database.queries, String(params.registry), context) : null;
  const host = typeof params.host === 'string' ? params.host : null;
  if (host !== null && !(await hostExists(services.database.queries, host))) throw requestedHostNotFound(host);

  const uuid = ids.uuid();
  const placedOn = await place(services, request, uuid, draft, params, host);
  const container = newContainer(request, draft, {
    uuid,
    securityGroups,
    registryId: registry?.id ?? null,
    placedOn,
    createdAt: clock.now(),
  });
  const payload: CreatePayload = {
    run,
    networks,
    newVolumes: Object.fromEntries(volumeDrafts.flatMap(({ volumeUuid, sizeGiB }) => (sizeGiB === null ? [] : [[volumeUuid, sizeGiB]]))),
  };
  try {
    await services.database.transaction(async (queries) => {
      const { cpu, memory, disk } = container;
      await checkQuota(queries, {
        projectId: context.projectId,
        added: { containers: 1, cpu: cpu ?? 0, memory: Number(memory), disk: disk ?? 0 },
        configured: services.settings.quotaDefaults,
      });
      await requireUniqueName(queries, container.name ?? '', context.projectId, services.settings.uniqueNameScope);
      await insertContainer(queries, container);
      if (placedOn === null) return;
      const owner = { containerUuid: uuid, projectId: context.projectId, userId: context.userId, host: placedOn };
      for (const draftOfVolume of volumeDrafts) await insertContainerVolume(queries, owner, draftOfVolume);
      await enqueueAction(services, queries, context, container, {
        kind: 'container.create',
        action: 'create',
        payload,
        deadlineSeconds: 1800,
      });
    });
  } catch (error) {
    if (placedOn !== null) await services.scheduler.release(uuid);
    throw error;
  }
  services.taskSignal.wake();
  return {
    status: 202,
    headers: { location: `${request.baseUrl}/v1/containers/${uuid}` },
    // The host is shown by later reads: the original's nodes write it.
    body: containerView(services.policy, request, clock)({ ...container, id: 0, updatedAt: null, host: null }, registry?.uuid ?? null),
  };
}

async function place(
  services: ContainerServices,
  { context }: ApiRequest,
  uuid: string,
  draft: ContainerDraft,
  params: Record<string, unknown>,
  host: string | null,
): Promise<string | null> {
  const wish = {
    cpu: draft.cpu,
    memory: draft.memory,
    disk: draft.disk,
    runtime: draft.runtime,
    cpuPolicy: draft.cpuPolicy,
    availabilityZone: typeof params.availability_zone === 'string' ? params.availability_zone : null,
    hints: (params.hints as Record<string, string> | undefined) ?? null,
  };
  return services.scheduler.place(uuid, resourceRequest(draft, host), wish, context);
}

function newContainer(
  { context }: ApiRequest,
  draft: ContainerDraft,
  rest: { uuid: string; securityGroups: string[] | null; registryId: number | null; placedOn: string | null; createdAt: number },
): Omit<Container, 'id' | 'updatedAt'> {
  const { placedOn } = rest;
  return {
    ...draft,
    uuid: rest.uuid,
    containerType: containerTypes.container,
    containerId: null,
    projectId: context.projectId,
    userId: context.userId,
    securityGroups: rest.securityGroups,
    registryId: rest.registryId,
    ports: null,
    addresses: null,
    host: placedOn,
    status: placedOn === null ? 'Error' : 'Creating',
    statusReason: placedOn === null ? 'There are not enough hosts available.' : null,
    statusDetail: null,
    taskState: null,
    startedAt: null,
    createdAt: rest.createdAt,
  };
}
