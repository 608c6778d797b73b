import type { ImagePull, WorkloadMount, WorkloadSpec } from '../../../runtime/container-runtime.ts';
import type { Container } from '../../containers/container.ts';
import { volumesOfContainer } from '../../containers/container-volumes.ts';
import { workloadSpec } from '../../containers/workload-spec.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import type { CapsuleContext } from './saga-capsule.ts';

/** A container of a capsule as the runtime wants it, with its mounts; network and hostname are the capsule's. */
export async function memberSpec(
  services: CapsuleServices,
  context: CapsuleContext,
  member: Container,
  image: { image: string; imagePull: ImagePull | null },
): Promise<WorkloadSpec> {
  return { ...workloadSpec(member, { ...image, mounts: await mountsOf(services, context, member), networks: [] }), hostname: null };
}

/** A container that is made by itself, of an image that was pulled, in the sandbox's namespaces. */
export async function joiningMemberSpec(services: CapsuleServices, context: CapsuleContext, member: Container): Promise<WorkloadSpec> {
  const images = (context.data.images ?? {}) as Record<string, string>;
  const spec = await memberSpec(services, context, member, { image: images[member.uuid] ?? '', imagePull: null });
  return { ...spec, sandbox: context.task.subject };
}

/** Removes the workloads of containers, all at a time; what is gone counts as removed. */
export async function removeMembers(
  { runtime }: Pick<CapsuleServices, 'runtime'>,
  members: Container[],
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(members.map(({ uuid }) => runtime.remove(uuid, signal)));
}

async function mountsOf(services: CapsuleServices, context: CapsuleContext, member: Container): Promise<WorkloadMount[]> {
  const sources = (context.data.volumeSources ?? {}) as Record<string, string>;
  const isReadOnly = (volumeUuid: string, destination: string) =>
    context.payload.readOnlyMounts.some(
      (mount) => mount.containerUuid === member.uuid && mount.volumeUuid === volumeUuid && mount.destination === destination,
    );
  const volumes = await volumesOfContainer(services.database.queries, member.uuid);
  return volumes.flatMap(({ volumeUuid, destination }) => {
    const source = sources[volumeUuid];
    return source === undefined ? [] : [{ kind: 'volume', source, destination, readOnly: isReadOnly(volumeUuid, destination) }];
  });
}
