import { ownTarget } from '../../../api/authorizer.ts';
import type { ApiRequest, Operation } from '../../../api/operation.ts';
import { resourceRequest } from '../../../scheduling/resource-request.ts';
import { enqueueAction } from '../../containers/enqueue-action.ts';
import { requestedNetworks } from '../../containers/requested-networks.ts';
import { requireExternalAllowed } from '../../containers/require-external-allowed.ts';
import { checkQuota } from '../../quotas/quota-check.ts';
import type { WholeCapsule } from '../capsule.ts';
import { type CapsuleDraft, capsuleDraft } from '../capsule-draft.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import { capsuleByUuid, insertCapsule } from '../capsule-store.ts';
import { capsuleView } from '../capsule-view.ts';
import { type CapsuleVolumeDraft, insertCapsuleVolume } from '../capsule-volume-store.ts';
import { newCapsule, newMember } from '../new-capsule-rows.ts';
import { requestedCapsuleVolumes } from '../requested-capsule-volumes.ts';
import { type CreateCapsulePayload, createDeadlineSeconds } from '../sagas/create.ts';

/**
 * Creates a capsule and starts it: 202 once rows, action and task are committed together. Everything that can be refused is refused
 * before. Unlike in the original a capsule counts in its project's quota. No host with room is not an error: the row says Error.
 * Origin: zun/api/controllers/v1/capsules.py (_do_post), zun/compute/api.py (container_create).
 */
export function create(services: CapsuleServices): Operation {
  return { route: 'POST /v1/capsules', handle: (request) => handle(services, request) };
}

async function handle(services: CapsuleServices, request: ApiRequest) {
  const { context } = request;
  const { ids, clock, policy, scheduler } = services;
  policy.authorize(context, 'capsule:create', ownTarget(context));
  const draft = capsuleDraft(request.params.template, services.checkTemplateText);
  const members = draft.members.map((member) => ({ ...member, uuid: ids.uuid() }));
  // A template names no networks; the schema refuses `nets`.
  const networks = await requestedNetworks(services.networking, context, []);
  requireExternalAllowed(policy, context, networks);
  const volumes = await requestedCapsuleVolumes(services, context, draft.volumes, members);

  const origin = { context, uuid: ids.uuid(), createdAt: clock.now() };
  const host = await place(services, request, origin.uuid, draft);
  const capsule = newCapsule(origin, draft, host);
  // Who may not choose a pull policy gets the usual one, without a refusal.
  const mayChoose = policy.allows(context, 'container:create:image_pull_policy', ownTarget(context));
  const usual = services.settings.defaultImagePullPolicy;
  const rows = members.map((member) => {
    const imagePullPolicy = (mayChoose ? member.imagePullPolicy : null) ?? usual;
    return newMember(origin, draft.name, member.uuid, member, { ids, imagePullPolicy });
  });
  let stored: WholeCapsule | null;
  try {
    stored = await services.database.transaction(async (queries) => {
      await checkQuota(queries, {
        projectId: context.projectId,
        added: { containers: 1, cpu: draft.cpu, memory: draft.memoryMiB, disk: 0 },
        configured: services.settings.quotaDefaults,
      });
      await insertCapsule(queries, capsule, rows);
      if (host === null) return capsuleByUuid(queries, origin.uuid);
      const owner = { projectId: context.projectId, userId: context.userId, host };
      for (const volume of volumes) await insertCapsuleVolume(queries, owner, volume);
      const payload: CreateCapsulePayload = { networks, ...volumePayload(volumes) };
      const deadlineSeconds = createDeadlineSeconds(members.filter(({ isInit }) => isInit).length);
      await enqueueAction(services, queries, context, capsule, { kind: 'capsule.create', action: 'create', payload, deadlineSeconds });
      return capsuleByUuid(queries, origin.uuid);
    });
  } catch (error) {
    if (host !== null) await scheduler.release(origin.uuid);
    throw error;
  }
  services.taskSignal.wake();
  return {
    status: 202,
    headers: { location: `${request.baseUrl}/v1/capsules/${origin.uuid}` },
    // The capsule as it was asked for, with nulls where later reads have empty values; its containers as they are read.
    body: capsuleView(
      policy,
      request,
      clock,
    )({
      capsule: { ...capsule, id: 0, updatedAt: null },
      initContainers: stored?.initContainers ?? [],
      containers: stored?.containers ?? [],
    }),
  };
}

function place({ scheduler }: CapsuleServices, { context }: ApiRequest, uuid: string, draft: CapsuleDraft): Promise<string | null> {
  const amounts = { cpu: draft.cpu, memory: String(draft.memoryMiB), disk: 0 };
  const wish = { ...amounts, runtime: null, cpuPolicy: 'shared', availabilityZone: draft.availabilityZone, hints: null };
  return scheduler.place(uuid, resourceRequest(amounts, null), wish, context);
}

function volumePayload(volumes: CapsuleVolumeDraft[]): Pick<CreateCapsulePayload, 'newVolumes' | 'readOnlyMounts'> {
  return {
    newVolumes: Object.fromEntries(volumes.flatMap(({ volumeUuid, sizeGiB }) => (sizeGiB === null ? [] : [[volumeUuid, sizeGiB]]))),
    readOnlyMounts: volumes.flatMap(({ volumeUuid, mounts }) =>
      mounts.filter(({ readOnly }) => readOnly).map(({ containerUuid, destination }) => ({ volumeUuid, containerUuid, destination })),
    ),
  };
}
