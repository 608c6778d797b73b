import type { Step } from '../../../tasks/saga.ts';
import { updateContainer } from '../../containers/container-store.ts';
import { deleteContainerVolumes, setBlockVolume } from '../../containers/container-volumes.ts';
import { addressesOf, preparePorts, releasePorts } from '../../containers/network-interfaces.ts';
import { pullImage } from '../../containers/pull-image.ts';
import { membersOf } from '../capsule.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import { volumesOfMembers } from '../capsule-volume-store.ts';
import { type CapsulePayload, capsuleOfTask } from './saga-capsule.ts';

/**
 * The claim on the node and the rows of volumes were made with the request; undo gives them back, so that a failed create holds
 * nothing but its rows.
 */
export function holdClaimsStep(services: CapsuleServices): Step<CapsulePayload> {
  return {
    name: 'hold claims',
    run: async () => {},
    async undo(context) {
      const whole = await capsuleOfTask(services, context);
      await services.scheduler.release(whole.capsule.uuid);
      await context.write(async (queries) => {
        for (const { uuid } of membersOf(whole)) await deleteContainerVolumes(queries, uuid);
      });
    },
  };
}

/** Makes the volumes that were asked for by size. Undo deletes them. */
export function createVolumesStep(services: CapsuleServices): Step<CapsulePayload> {
  const { volumes, database } = services;
  return {
    name: 'create volumes',
    async run(context) {
      const whole = await capsuleOfTask(services, context);
      const { projectId, userId } = whole.capsule;
      for (const volume of await volumesOfMembers(database.queries, membersOf(whole))) {
        const sizeGiB = context.payload.newVolumes[volume.volumeUuid];
        if (sizeGiB === undefined || volume.cinderVolumeId !== null) continue;
        const made = await volumes.create({ key: volume.volumeUuid, sizeGiB, projectId, userId }, context.signal);
        await context.write((queries) => setBlockVolume(queries, volume.volumeUuid, made.id));
      }
    },
    async undo(context) {
      const whole = await capsuleOfTask(services, context);
      for (const { volumeUuid } of await volumesOfMembers(database.queries, membersOf(whole))) {
        if (context.payload.newVolumes[volumeUuid] === undefined) continue;
        // A worker that died, or did not get the answer, has made one that its row does not name.
        const made = await volumes.findMade(volumeUuid, whole.capsule.projectId, context.signal);
        if (made) await volumes.delete(made.id, whole.capsule.projectId, context.signal);
      }
    },
  };
}

/** Attaches volumes to the node, each once, held by the capsule: its containers share them. Undo detaches them. */
export function attachVolumesStep(services: CapsuleServices): Step<CapsulePayload> {
  const { volumes, database } = services;
  return {
    name: 'attach volumes',
    async run(context) {
      const whole = await capsuleOfTask(services, context);
      const { uuid: containerUuid, host, projectId } = whole.capsule;
      const attachment = { containerUuid, host: host ?? '', projectId };
      const sources: Record<string, string> = {};
      for (const volume of await volumesOfMembers(database.queries, membersOf(whole))) {
        if (!volume.cinderVolumeId) continue;
        sources[volume.volumeUuid] = (await volumes.attach(volume.cinderVolumeId, attachment, context.signal)).engineVolume;
      }
      context.data.volumeSources = sources;
    },
    async undo(context) {
      const whole = await capsuleOfTask(services, context);
      for (const { cinderVolumeId } of await volumesOfMembers(database.queries, membersOf(whole))) {
        if (cinderVolumeId) await volumes.detach(cinderVolumeId, context.task.subject, context.signal);
      }
    },
  };
}

/** Brings the sandbox's and every container's image to the node. What was pulled stays: it is a cache. */
export function pullImagesStep(services: CapsuleServices): Step<CapsulePayload> {
  return {
    name: 'pull images',
    async run(context) {
      const whole = await capsuleOfTask(services, context);
      const { uuid } = whole.capsule;
      await context.write((queries) => updateContainer(queries, uuid, { taskState: 'image_pulling' }, services.clock.now()));
      context.data.sandboxImage = await services.sandboxImage(context.signal);
      const pulled = new Map<string, string>();
      const images: Record<string, string> = {};
      for (const member of membersOf(whole)) {
        const key = `${member.imagePullPolicy} ${member.image}`;
        const image = pulled.get(key) ?? (await pullImage(services, member, context.signal));
        pulled.set(key, image);
        images[member.uuid] = image;
      }
      context.data.images = images;
      await context.write((queries) => updateContainer(queries, uuid, { taskState: 'container_creating' }, services.clock.now()));
    },
  };
}

/** Makes and binds the capsule's port, and shows its addresses. Undo frees it. */
export function preparePortsStep(services: CapsuleServices): Step<CapsulePayload> {
  const { networking } = services;
  return {
    name: 'prepare ports',
    async run(context) {
      const { capsule } = await capsuleOfTask(services, context);
      const ports = await preparePorts(networking, capsule, context.payload.networks);
      const addresses = await addressesOf(
        networking,
        ports.map((port) => ({ port, preserveOnDelete: false })),
      );
      await context.write((queries) => updateContainer(queries, capsule.uuid, { addresses }, services.clock.now()));
    },
    async undo({ task, write }) {
      await releasePorts(networking, task.subject, new Set());
      await write((queries) => updateContainer(queries, task.subject, { addresses: {} }, services.clock.now()));
    },
  };
}
