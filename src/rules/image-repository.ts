import { parseImageReference } from './image-reference.ts';

export interface ImageRepository {
  /** What to pull from: the name, with the registry's domain where one applies. */
  repo: string;
  /** Empty for Glance, which has no tags. */
  tag: string;
}

/** Where images come from when the name does not say; `registryDomain` is the request's registry, before the default one. */
export interface ImageRepositoryOptions {
  driver: string;
  registryDomain?: string | null | undefined;
  defaultRegistry?: string | null | undefined;
}

/**
 * The repository and tag to pull an image from. A digest is dropped, as in the original. Throws as `parseImageReference`.
 * Origin: zun/common/utils.py, parse_image_name.
 */
export function imageRepository(image: string, options: ImageRepositoryOptions): ImageRepository {
  const { name, tag, domain } = parseImageReference(image);
  if (options.driver === 'glance') {
    return { repo: name, tag: '' };
  }
  const registry = domain ? '' : options.registryDomain || options.defaultRegistry || '';
  return { repo: registry ? `${registry}/${name}` : name, tag: tag || 'latest' };
}
