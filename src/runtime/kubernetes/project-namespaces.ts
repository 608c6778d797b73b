import { createOnce } from './client/create-once.ts';
import type { KubeClient } from './client/kube-client.ts';
import { KubeError } from './client/kube-error.ts';
import { kubePaths } from './client/kube-paths.ts';
import { labels } from './kube-object.ts';
import { networkPolicyOf } from './pod/network-policy.ts';

/** The namespaces that this installation has made. */
export class ProjectNamespaces {
  readonly #client: KubeClient;
  readonly #instance: string;
  readonly #known = new Set<string>();

  constructor(client: KubeClient, instance: string) {
    this.#client = client;
    this.#instance = instance;
  }

  /** Makes the namespace and what keeps others out of it, unless they are there. */
  async ensure(namespace: string, projectId: string): Promise<void> {
    if (this.#known.has(namespace)) return;
    const own = { [labels.managedBy]: 'zun', [labels.instance]: this.#instance };
    await createOnce(this.#client, kubePaths.namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: own, annotations: { 'zun.openstack.org/project': projectId } },
    });
    await createOnce(this.#client, kubePaths.networkPolicies(namespace), networkPolicyOf(namespace, own));
    this.#known.add(namespace);
  }

  /** Does work that needs the namespace, which is made where it is not there; the work is done again where somebody has removed it since. */
  async within<T>(namespace: string, projectId: string, work: () => Promise<T>): Promise<T> {
    const wasKnown = this.#known.has(namespace);
    await this.ensure(namespace, projectId);
    try {
      return await work();
    } catch (error) {
      if (!wasKnown || !isMissing(error, namespace)) throw error;
      this.#known.delete(namespace);
      await this.ensure(namespace, projectId);
      return await work();
    }
  }
}

const isMissing = (error: unknown, namespace: string): boolean =>
  error instanceof KubeError && error.status === 404 && error.message.includes(`namespaces "${namespace}" not found`);
