import { imagePullPolicy, shouldPullImage } from '../../rules/image-pull-decision.ts';
import { imageRepository } from '../../rules/image-repository.ts';
import type { ImagePull } from '../../runtime/container-runtime.ts';
import { imagesOn } from '../../runtime/images-on.ts';
import { RuntimeFault } from '../../runtime/runtime-fault.ts';
import { committedReference } from './committed-image.ts';
import type { Container } from './container.ts';
import type { ContainerServices } from './container-services.ts';

type ImageServices = Pick<ContainerServices, 'database' | 'images' | 'settings' | 'registryCredentials'>;
type ImageOfContainer = Pick<Container, 'projectId' | 'host' | 'image' | 'imageDriver' | 'imagePullPolicy' | 'registryId'>;

/**
 * Brings a container's image to the node as its pull policy asks, and answers the reference the engine knows it by.
 * A missing image or refused login fails with the registry's own words. Origin: zun/image/docker/driver.py.
 */
export async function pullImage(services: ImageServices, container: ImageOfContainer, signal: AbortSignal): Promise<string> {
  if (isGlance(services, container)) return committedImage(services, container, signal);
  const { repository, tag, reference, credentials } = await registryImage(services, container);
  const images = imagesOn(services.images, container.host);
  const present = (await images.find(reference, signal)) !== null;
  if (shouldPullImage(pullPolicy(services, container), present)) await images.pull(repository, tag, credentials, signal);
  else if (!present) throw new RuntimeFault('not-found', `Image ${repository} not present with pull policy of Never`);
  return reference;
}

/** Where the node brings the image as part of the start: what it is called, and how it is pulled. Nothing is asked of a registry. */
export async function imageToPull(
  services: ImageServices,
  container: ImageOfContainer,
): Promise<{ reference: string; imagePull: ImagePull }> {
  if (isGlance(services, container)) {
    const reference = await committedReference(services.database.queries, container, container.image);
    if (reference === null) throw new RuntimeFault('not-found', `Image ${container.image} could not be found.`);
    return { reference, imagePull: { policy: 'ifnotpresent', credentials: null } };
  }
  const { reference, credentials } = await registryImage(services, container);
  const policy = pullPolicy(services, container);
  return { reference, imagePull: { policy: policy === 'never' || policy === 'ifnotpresent' ? policy : 'always', credentials } };
}

const isGlance = ({ settings }: Pick<ImageServices, 'settings'>, { imageDriver }: Pick<Container, 'imageDriver'>): boolean =>
  (imageDriver ?? settings.defaultImageDriver) === 'glance';

/** The schema takes `Always` as well as `always`; the original then pulls nothing. */
const pullPolicy = ({ settings }: Pick<ImageServices, 'settings'>, container: Pick<Container, 'imagePullPolicy'>): string =>
  imagePullPolicy(container.imagePullPolicy ?? settings.defaultImagePullPolicy).toLowerCase();

async function registryImage(services: ImageServices, container: ImageOfContainer) {
  const registry = container.registryId === null ? null : await services.registryCredentials(container.registryId);
  const { repository, tag } = imageName(services.settings, container, registry?.domain ?? null);
  const reference = tag.includes(':') ? `${repository}@${tag}` : `${repository}:${tag}`;
  return { repository, tag, reference, credentials: registry?.credentials ?? null };
}

/** Where there is no Glance, what a commit made is in the node's store, and is named by the commit's answer. */
async function committedImage(
  { database, images }: Pick<ContainerServices, 'database' | 'images'>,
  container: Pick<Container, 'projectId' | 'host' | 'image'>,
  signal: AbortSignal,
): Promise<string> {
  const reference = await committedReference(database.queries, container, container.image);
  if (reference !== null && (await imagesOn(images, container.host).find(reference, signal)) !== null) return reference;
  throw new RuntimeFault('not-found', `Image ${container.image} could not be found.`);
}

/** Repository and tag of a container's image, with the domain of its registry or the default one put before. */
export function imageName(
  settings: ContainerServices['settings'],
  container: Pick<Container, 'image' | 'imageDriver'>,
  registryDomain: string | null,
): { repository: string; tag: string } {
  const driver = container.imageDriver ?? settings.defaultImageDriver;
  const { repo, tag } = imageRepository(container.image, { driver, registryDomain, defaultRegistry: settings.defaultRegistry });
  return { repository: repo, tag };
}
