import { isFault, RuntimeFault } from '../../runtime-fault.ts';
import type { ContainerdClient } from './containerd-client.ts';
import type { Descriptor, ImageMessage } from './containerd-messages.ts';
import { storedName } from './image-name.ts';

/** On a kept image: how many of its layers are those of the image that its container was made from. */
export const baseLayersLabel = 'zun.openstack.org/base-layers';

const images = 'containerd.services.images.v1.Images';
/** As containerd's side of the kubelet marks what it knows, and what may not be collected. Origin: containerd, internal/cri/labels. */
const managed = { 'io.cri-containerd.image': 'managed' };
const pinned = { 'io.cri-containerd.pinned': 'pinned' };
/** So long the kubelet's side may take to hear of a new image. */
const noticedWithinMs = 10_000;

/** `null` when containerd has no image of that name or id. */
export async function findImage(client: ContainerdClient, name: string): Promise<ImageMessage | null> {
  try {
    return (await client.call(`${images}/Get`, { name: storedName(name) })).image;
  } catch (error) {
    if (isFault(error, 'not-found')) return null;
    throw error;
  }
}

/** Fault `not-found` in words for the user. */
export async function requireImage(client: ContainerdClient, name: string): Promise<ImageMessage> {
  const image = await findImage(client, name);
  if (image === null) throw new RuntimeFault('not-found', `No such image on the node: ${name}`);
  return image;
}

/**
 * Names a manifest, by the name and by the id of its configuration as the kubelet does, and waits until the kubelet's side knows it. A kept
 * image that had the name before loses its id too; another stays, under its id. `baseLayers` makes it a kept image, which the kubelet may not collect.
 */
export async function nameImage(
  client: ContainerdClient,
  image: { name: string; id: string; target: Descriptor; baseLayers: number | null },
): Promise<void> {
  const { id, target, baseLayers } = image;
  const name = storedName(image.name);
  const before = await findImage(client, name);
  const labels = { ...managed, ...(baseLayers === null ? {} : { ...pinned, [baseLayersLabel]: String(baseLayers) }) };
  await putImage(client, { name: id, labels, target });
  await putImage(client, { name, labels, target });
  if (before && before.target.digest !== target.digest && before.labels[baseLayersLabel] !== undefined) await removeIds(client, before);
  await untilNoticed(client, name, id);
}

/** Takes a name away, and the id with it when no other name is left. An id takes all names with it. Nothing to do is fine. */
export async function removeImage(client: ContainerdClient, name: string): Promise<void> {
  const image = await findImage(client, name);
  if (image === null) return;
  const isId = image.name.startsWith('sha256:');
  for (const other of isId ? await imagesOf(client, image.target) : []) await deleteImage(client, other.name);
  await deleteImage(client, image.name);
  await removeIds(client, image);
}

/** Every name that stands for the same manifest. */
function imagesOf(client: ContainerdClient, target: Descriptor): Promise<ImageMessage[]> {
  return client.call(`${images}/List`, { filters: [`target.digest==${target.digest}`] }).then((answer) => answer.images);
}

/** All images, with every name and id as one of them. */
export async function allImages(client: ContainerdClient): Promise<ImageMessage[]> {
  return (await client.call(`${images}/List`, { filters: [] })).images;
}

async function removeIds(client: ContainerdClient, { target }: ImageMessage): Promise<void> {
  const left = await imagesOf(client, target);
  if (!left.every((image) => image.name.startsWith('sha256:'))) return;
  for (const image of left) await deleteImage(client, image.name);
}

async function deleteImage(client: ContainerdClient, name: string): Promise<void> {
  try {
    await client.call(`${images}/Delete`, { name });
  } catch (error) {
    if (!isFault(error, 'not-found')) throw error;
  }
}

async function putImage(client: ContainerdClient, image: ImageMessage): Promise<void> {
  try {
    await client.call(`${images}/Create`, { image });
  } catch (error) {
    if (!isFault(error, 'conflict')) throw error;
    await client.call(`${images}/Update`, { image, updateMask: { paths: ['target', 'labels'] } });
  }
}

/** The kubelet's side of containerd hears of images by events; a Pod that asks before is told that there is none. */
async function untilNoticed(client: ContainerdClient, name: string, id: string): Promise<void> {
  const deadline = client.clock.now() + noticedWithinMs;
  for (;;) {
    const { image } = await client.call('runtime.v1.ImageService/ImageStatus', { image: { image: name } });
    if (image?.id === id) return;
    if (client.clock.now() > deadline) {
      throw new RuntimeFault('failed', `containerd holds ${name}, and does not show it to the kubelet.`);
    }
    await client.clock.sleep(20);
  }
}
