import { parseImageReference } from '../../../rules/image-reference.ts';
import { RuntimeFault } from '../../runtime-fault.ts';

/** Where an image name leads to. */
export interface ImageName {
  /** `docker.io`, `registry.example:5000`. */
  registry: string;
  /** `library/busybox`. */
  repository: string;
  /** A tag, or `sha256:…`. */
  reference: string;
}

/** Takes a name apart as containerd does, which completes it as Docker would. Fault `invalid`. */
export function imageName(name: string): ImageName {
  const { domain, path, tag, digest } = parsed(name);
  const registry = domain === '' || domain === 'index.docker.io' ? 'docker.io' : domain;
  const repository = registry === 'docker.io' && !path.includes('/') ? `library/${path}` : path;
  return { registry, repository, reference: digest ?? tag ?? 'latest' };
}

/** The name under which containerd holds an image: `busybox` as `docker.io/library/busybox:latest`. An id stays an id. */
export function storedName(name: string): string {
  if (/^sha256:[0-9a-f]{64}$/.test(name)) return name;
  const { registry, repository, reference } = imageName(name);
  return `${registry}/${repository}${reference.startsWith('sha256:') ? '@' : ':'}${reference}`;
}

function parsed(name: string) {
  try {
    return parseImageReference(name);
  } catch (error) {
    throw new RuntimeFault('invalid', `image '${name}': ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
