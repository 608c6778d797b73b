import { createOnce } from './create-once.ts';
import type { KubeClient } from './kube-client.ts';
import { labels } from './kube-object.ts';
import { kubePaths } from './kube-paths.ts';
import { networkPolicyOf } from './network-policy.ts';

/** The namespaces that this installation has made. One that somebody removes is made again by the next process. */
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
}
