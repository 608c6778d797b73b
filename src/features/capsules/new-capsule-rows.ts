import type { RequestContext } from '../../api/request-context.ts';
import { generateContainerName } from '../../rules/name-generator.ts';
import type { Ids } from '../../telemetry/ids.ts';
import { type Container, containerTypes } from '../containers/container.ts';
import type { Capsule } from './capsule.ts';
import type { CapsuleDraft, CapsuleMemberDraft } from './capsule-draft.ts';
import type { NewRow } from './capsule-store.ts';

/** What is known when the rows are made, beside the template. */
export interface CapsuleOrigin {
  context: RequestContext;
  uuid: string;
  /** Epoch milliseconds. */
  createdAt: number;
}

/** What the original's `sandbox_image` is; the image that really runs is the node's own affair. */
const sandboxImageName = 'kubernetes/pause';

/** The capsule's row. Without a host it says what the original says when no node has room. */
export function newCapsule(origin: CapsuleOrigin, draft: CapsuleDraft, host: string | null): NewRow<Capsule> {
  return {
    ...blankRow(origin),
    uuid: origin.uuid,
    containerType: containerTypes.capsule,
    // A capsule may have no name, though a container always has one.
    name: draft.name as string,
    image: sandboxImageName,
    imageDriver: 'docker',
    cpu: draft.cpu,
    memory: String(draft.memoryMiB),
    labels: draft.labels,
    annotations: draft.annotations,
    restartPolicy: draft.restartPolicy,
    host,
    status: host === null ? 'Error' : 'Creating',
    statusReason: host === null ? 'There are not enough hosts available.' : null,
  };
}

/** The row of a container in the capsule; its name is made as the original makes it: `capsule-web-beta-7`. */
export function newMember(
  origin: CapsuleOrigin,
  capsuleName: string | null,
  uuid: string,
  draft: CapsuleMemberDraft,
  rest: { ids: Ids; imagePullPolicy: string },
): NewRow<Container> {
  const { image, cpu, memoryMiB, command, environment, workdir, exposedPorts, interactive, tty, restartPolicy } = draft;
  return {
    ...blankRow(origin),
    uuid,
    containerType: draft.isInit ? containerTypes.capsuleInitContainer : containerTypes.capsuleContainer,
    name: `capsule-${capsuleName ?? origin.uuid}-${generateContainerName(rest.ids).replace(/-container$/, '')}`,
    image,
    imagePullPolicy: rest.imagePullPolicy,
    cpu,
    memory: memoryMiB === null ? null : String(memoryMiB),
    command,
    environment,
    workdir,
    exposedPorts,
    interactive,
    tty,
    restartPolicy,
  };
}

function blankRow({ context, createdAt }: CapsuleOrigin): Omit<NewRow<Container>, 'uuid' | 'containerType' | 'name' | 'image'> {
  return {
    containerId: null,
    projectId: context.projectId,
    userId: context.userId,
    imageDriver: null,
    imagePullPolicy: null,
    cpu: null,
    cpuPolicy: 'shared',
    memory: null,
    disk: 0,
    command: null,
    entrypoint: null,
    environment: null,
    workdir: null,
    labels: null,
    hostname: null,
    ports: null,
    addresses: null,
    securityGroups: null,
    exposedPorts: null,
    restartPolicy: null,
    healthcheck: null,
    interactive: false,
    tty: false,
    autoRemove: false,
    autoHeal: false,
    privileged: false,
    runtime: null,
    host: null,
    registryId: null,
    status: 'Creating',
    statusReason: null,
    statusDetail: null,
    taskState: null,
    startedAt: null,
    createdAt,
  };
}
