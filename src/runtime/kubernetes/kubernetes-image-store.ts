import type { V1Node } from '@kubernetes/client-node';
import type { ImageSearchHit, ImageStore, RegistryCredentials, StoredImage } from '../image-store.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import type { KubeClient } from './client/kube-client.ts';
import { kubeFault } from './client/kube-fault.ts';
import { kubePaths } from './client/kube-paths.ts';
import { listObjects } from './client/list-objects.ts';
import type { KubePod } from './kube-object.ts';
import type { NodeAccess } from './node/node-access.ts';
import { withoutNodeAccess } from './node/without-node-access.ts';
import type { PullerPods } from './puller-pods.ts';

export interface KubernetesImageStoreParts {
  client: KubeClient;
  pullers: PullerPods;
  /** `null` where the operator gave the node agents no access to containerd. */
  nodeAccess: NodeAccess | null;
}

/**
 * The images of the cluster's nodes. Kubernetes pulls images for Pods alone, so a pull is a Pod that does nothing else. What a node holds
 * is what its status tells, its fifty largest images as kubelets are set, or everything with node access.
 */
export class KubernetesImageStore implements ImageStore {
  readonly #parts: KubernetesImageStoreParts;
  readonly #host: string | null;

  constructor(parts: KubernetesImageStoreParts, host: string | null = null) {
    this.#parts = parts;
    this.#host = host;
  }

  on(host: string): ImageStore {
    return new KubernetesImageStore(this.#parts, host);
  }

  async find(reference: string, signal?: AbortSignal): Promise<StoredImage | null> {
    const wanted = new Set([reference, ...fullNames(reference)]);
    const images = await this.list(signal);
    return images.find(({ id, references }) => id === reference || references.some((name) => wanted.has(name))) ?? null;
  }

  async pull(repository: string, tag: string, credentials: RegistryCredentials | null, signal?: AbortSignal): Promise<StoredImage> {
    const reference = tag.includes(':') ? `${repository}@${tag}` : `${repository}:${tag}`;
    const imageId = await asFault(this.#parts.pullers.pull(reference, this.#host, credentials, signal), signal);
    const stored = await this.find(reference, signal);
    // The node's status follows within a minute.
    return stored ?? { id: /sha256:[0-9a-f]{64}/.exec(imageId)?.[0] ?? imageId, references: [reference], sizeBytes: 0 };
  }

  load(): Promise<void> {
    return Promise.reject(new RuntimeFault('unsupported', 'Kubernetes takes images from registries only: push the image to one.'));
  }

  async list(signal?: AbortSignal): Promise<StoredImage[]> {
    const { nodeAccess } = this.#parts;
    if (nodeAccess && this.#host !== null) {
      const images = await nodeAccess.listImages(this.#host, signal);
      return images.map(({ id, names, sizeBytes }) => ({ id, references: names, sizeBytes }));
    }
    return (await this.#nodes(signal)).flatMap(({ status }) =>
      (status?.images ?? []).map(({ names, sizeBytes = 0 }) => {
        // An image without a name has `null` there.
        const references = names ?? [];
        const digest = /sha256:[0-9a-f]{64}/.exec(references.find((name) => name.includes('@')) ?? '')?.[0];
        return { id: digest ?? references[0] ?? '', references, sizeBytes };
      }),
    );
  }

  search(): Promise<ImageSearchHit[]> {
    return Promise.reject(
      new RuntimeFault(
        'unsupported',
        'A cluster searches no registries: ask the registry itself, and name the image as it is called there.',
      ),
    );
  }

  async remove(reference: string, signal?: AbortSignal): Promise<void> {
    const { nodeAccess } = this.#parts;
    if (!nodeAccess || this.#host === null) throw withoutNodeAccess('the removal of an image from a node');
    const user = await asFault(this.#userOf(reference, this.#host, signal), signal);
    if (user !== null) throw new RuntimeFault('conflict', `The image ${reference} is in use by Pod ${user}.`);
    await nodeAccess.removeImage(this.#host, reference, signal);
  }

  /** Namespace and name of a Pod on the node that is made from the image; `null` when there is none. */
  async #userOf(reference: string, host: string, signal?: AbortSignal): Promise<string | null> {
    const wanted = new Set([reference, ...fullNames(reference)]);
    const { items } = await listObjects<KubePod>(this.#parts.client, kubePaths.pods(), { fieldSelector: `spec.nodeName=${host}` }, signal);
    const user = items.find(({ spec }) =>
      [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].some(({ image }) => wanted.has(image ?? '')),
    );
    return user ? `${user.metadata?.namespace}/${user.metadata?.name}` : null;
  }

  async #nodes(signal?: AbortSignal): Promise<V1Node[]> {
    const { client } = this.#parts;
    if (this.#host === null) return (await asFault(listObjects<V1Node>(client, kubePaths.nodes, {}, signal), signal)).items;
    return [await asFault(client.request<V1Node>({ method: 'GET', path: kubePaths.node(this.#host), signal }), signal)];
  }
}

/** How containerd may spell what users name shortly. */
function fullNames(reference: string): string[] {
  const name = /[:@][^/]*$/.test(reference) ? reference : `${reference}:latest`;
  return [name, `docker.io/${name}`, `docker.io/library/${name}`];
}

function asFault<T>(call: Promise<T>, signal?: AbortSignal): Promise<T> {
  return call.catch((error) => {
    throw kubeFault(error, signal);
  });
}
