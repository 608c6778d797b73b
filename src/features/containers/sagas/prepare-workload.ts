import { containerNotFound, operationNotSupported } from '../../../errors/catalogue.ts';
import { decodeFileData } from '../../../rules/file-data.ts';
import type { WorkloadMount } from '../../../runtime/container-runtime.ts';
import type { SagaContext, Step } from '../../../tasks/saga.ts';
import type { Container } from '../container.ts';
import type { ContainerServices } from '../container-services.ts';
import { containerByUuid, updateContainer } from '../container-store.ts';
import { setBlockVolume, volumesOfContainer } from '../container-volumes.ts';
import { addressesOf, networkInterface, preparePorts, releasePorts } from '../network-interfaces.ts';
import { imageToPull, pullImage } from '../pull-image.ts';
import type { RequestedNetwork } from '../requested-network.ts';
import { workloadSpec } from '../workload-spec.ts';

/** What the steps that make a workload need of their task's payload. */
export interface WorkloadPayload {
  networks: RequestedNetwork[];
  /** GiB of volumes to be made, by `volume.uuid`. */
  newVolumes: Record<string, number>;
}

type AnyContext = Pick<SagaContext<WorkloadPayload>, 'task' | 'payload' | 'data' | 'signal' | 'write'>;

/** The row a task works on; it is there as long as its task is, unless somebody removed it by hand. */
export async function containerOf(services: Pick<ContainerServices, 'database'>, context: Pick<SagaContext, 'task'>): Promise<Container> {
  const container = await containerByUuid(services.database.queries, context.task.subject);
  if (!container) throw containerNotFound(context.task.subject);
  return container;
}

/** Makes the volumes that were asked for by size. Undo deletes them. */
export function createVolumesStep(services: ContainerServices): Step<WorkloadPayload> {
  const { volumes, database } = services;
  return {
    name: 'create volumes',
    async run(context) {
      const container = await containerOf(services, context);
      for (const volume of await volumesOfContainer(database.queries, container.uuid)) {
        const sizeGiB = context.payload.newVolumes[volume.volumeUuid];
        if (sizeGiB === undefined || volume.cinderVolumeId !== null) continue;
        const made = await volumes.create(
          { key: volume.volumeUuid, sizeGiB, projectId: container.projectId, userId: container.userId },
          context.signal,
        );
        await context.write((queries) => setBlockVolume(queries, volume.volumeUuid, made.id));
      }
    },
    async undo({ task, payload, signal }) {
      for (const volume of await volumesOfContainer(database.queries, task.subject)) {
        if (payload.newVolumes[volume.volumeUuid] === undefined) continue;
        // A worker that died, or did not get the answer, has made one that its row does not name.
        const made = await volumes.findMade(volume.volumeUuid, task.projectId, signal);
        if (made) await volumes.delete(made.id, task.projectId, signal);
      }
    },
  };
}

/** Attaches block volumes to the node. Undo detaches them. */
export function attachVolumesStep(services: ContainerServices): Step<WorkloadPayload> {
  const { volumes, database } = services;
  return {
    name: 'attach volumes',
    async run(context) {
      const container = await containerOf(services, context);
      const sources: Record<string, string> = {};
      for (const volume of await volumesOfContainer(database.queries, container.uuid)) {
        if (!volume.cinderVolumeId) continue;
        const attachment = { containerUuid: container.uuid, host: container.host ?? '', projectId: container.projectId };
        sources[volume.volumeUuid] = (await volumes.attach(volume.cinderVolumeId, attachment, context.signal)).engineVolume;
      }
      context.data.volumeSources = sources;
    },
    async undo(context) {
      for (const volume of await volumesOfContainer(database.queries, context.task.subject)) {
        if (volume.cinderVolumeId) await volumes.detach(volume.cinderVolumeId, context.task.subject, context.signal);
      }
    },
  };
}

/**
 * Brings the image to the node. What was pulled stays: it is a cache. Where the start brings it, one that is to start at once is not
 * pulled before.
 */
export function pullImageStep(services: ContainerServices): Step<WorkloadPayload & { run: boolean }> {
  return {
    name: 'pull image',
    // A registry that does not answer: soon enough for whoever mistyped its name.
    patienceSeconds: 15,
    async run(context) {
      const container = await containerOf(services, context);
      await context.write((queries) => updateContainer(queries, container.uuid, { taskState: 'image_pulling' }, services.clock.now()));
      const startPulls = services.runtime.pullsAtStart && context.payload.run;
      context.data.image = startPulls
        ? (await imageToPull(services, container)).reference
        : await pullImage(services, container, context.signal);
      await context.write((queries) => updateContainer(queries, container.uuid, { taskState: 'container_creating' }, services.clock.now()));
    },
  };
}

/** Makes and binds the ports of the payload's networks, or of others, and shows their addresses. Undo frees them. */
export function preparePortsStep(
  services: ContainerServices,
  wanted: (container: Container, payload: WorkloadPayload) => RequestedNetwork[] = (_container, { networks }) => networks,
): Step<WorkloadPayload> {
  const { networking } = services;
  return {
    name: 'prepare ports',
    async run(context) {
      const container = await containerOf(services, context);
      const networks = wanted(container, context.payload);
      const ports = await preparePorts(networking, container, networks);
      context.data.ports = ports.map((port) => port.id);
      const kept = ports.map((port, index) => ({ port, preserveOnDelete: networks[index]?.preserveOnDelete ?? false }));
      const addresses = await addressesOf(networking, kept);
      await context.write((queries) => updateContainer(queries, container.uuid, { addresses }, services.clock.now()));
    },
    undo: async (context) => {
      const preserved = context.payload.networks.filter((network) => network.preserveOnDelete).map((network) => network.portId ?? '');
      await releasePorts(networking, context.task.subject, new Set(preserved));
      await context.write((queries) => updateContainer(queries, context.task.subject, { addresses: {} }, services.clock.now()));
    },
  };
}

/** Creates the workload. Undo removes it. */
export function createWorkloadStep(services: ContainerServices): Step<WorkloadPayload> {
  return {
    name: 'create workload',
    async run(context) {
      const container = await containerOf(services, context);
      const spec = workloadSpec(container, {
        image: String(context.data.image),
        // Read again, and not kept with the task: it may hold a password.
        imagePull: services.runtime.pullsAtStart ? (await imageToPull(services, container)).imagePull : null,
        mounts: await mountsOf(services, container, context),
        networks: await interfacesOf(services, context),
      });
      await services.runtime.create(spec);
    },
    undo: ({ task, signal }) => services.runtime.remove(task.subject, signal),
  };
}

/** Refuses a disk size on a node that cannot limit disks. Origin: manager.py (_check_support_disk_quota). */
export function checkDiskStep(services: ContainerServices): Step<WorkloadPayload> {
  return {
    name: 'check disk',
    async run(context) {
      const container = await containerOf(services, context);
      if (!container.disk) return;
      const node = await services.runtime.describeNode(context.signal);
      if (!node.diskQuotaSupported) throw operationNotSupported('Your host does not support disk quota feature.');
    },
  };
}

async function mountsOf(services: ContainerServices, container: Container, context: AnyContext): Promise<WorkloadMount[]> {
  const sources = (context.data.volumeSources ?? {}) as Record<string, string>;
  const mounts: WorkloadMount[] = [];
  for (const volume of await volumesOfContainer(services.database.queries, container.uuid)) {
    const source = sources[volume.volumeUuid];
    if (volume.provider === 'local') {
      mounts.push({ kind: 'content', content: decodeFileData(volume.contents ?? ''), destination: volume.destination });
    } else if (source !== undefined) {
      mounts.push({ kind: 'volume', source, destination: volume.destination, readOnly: false });
    }
  }
  return mounts;
}

async function interfacesOf(services: ContainerServices, context: AnyContext) {
  const order = (context.data.ports ?? []) as string[];
  const ports = await services.networking.listPorts(context.task.subject);
  const inOrder = order.flatMap((id) => ports.filter((port) => port.id === id));
  return Promise.all(inOrder.map((port) => networkInterface(services.networking, port)));
}
