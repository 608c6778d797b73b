import type { WorkloadSpec } from '../container-runtime.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import type { MemoryImage } from './memory-image.ts';
import type { MemoryImageStore } from './memory-image-store.ts';

/** The image of a workload as a node brings it when it starts: by the pull policy, out of the store or its registry, in whose words it fails. */
export async function bringImage(images: MemoryImageStore, { image, imagePull }: WorkloadSpec): Promise<MemoryImage> {
  const policy = imagePull?.policy ?? 'never';
  if (policy === 'always' || (policy === 'ifnotpresent' && !images.imageOf(image))) {
    const { repository, tag } = referenceParts(image);
    await images.pull(repository, tag, imagePull?.credentials ?? null);
  }
  const found = images.imageOf(image);
  if (!found) throw new RuntimeFault('not-found', `Container image "${image}" is not present with pull policy of Never`);
  return found;
}

function referenceParts(reference: string): { repository: string; tag: string } {
  const [, repository = reference, digest, tag] = /^(.+?)(?:@(.+)|:([^/:]+))?$/.exec(reference) ?? [];
  return { repository, tag: digest ?? tag ?? 'latest' };
}
