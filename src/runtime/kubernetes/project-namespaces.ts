import type { V1Namespace } from '@kubernetes/client-node';
import { RuntimeFault } from '../runtime-fault.ts';
import { createOnce } from './client/create-once.ts';
import type { KubeClient } from './client/kube-client.ts';
import { KubeError } from './client/kube-error.ts';
import { kubePaths } from './client/kube-paths.ts';
import { metadataOnly } from './client/list-mapped.ts';
import { listObjects } from './client/list-objects.ts';
import { labels } from './kube-object.ts';
import { networkPolicyOf } from './pod/network-policy.ts';
import { type AccountsByRole, ProjectRoles } from './project-roles.ts';

/** The namespaces of this installation, which its labels tell from others. */
export class ProjectNamespaces {
  readonly #client: KubeClient;
  readonly #instance: string;
  readonly #roles: ProjectRoles;
  /** Those that are as they should be, as far as this process knows. */
  readonly #known = new Set<string>();

  /** `roles`: what is bound in each of them. */
  constructor(client: KubeClient, instance: string, roles: AccountsByRole = {}) {
    this.#client = client;
    this.#instance = instance;
    this.#roles = new ProjectRoles(client, instance, roles);
  }

  /**
   * Makes the namespace, what the programs may do in it and what keeps others out of it, unless they are there. Fault `conflict` where a
   * namespace of that name is not this installation's.
   */
  async ensure(namespace: string, projectId: string): Promise<void> {
    if (this.#known.has(namespace)) return;
    const own = { [labels.managedBy]: 'zun', [labels.instance]: this.#instance };
    const made = await createOnce<V1Namespace>(this.#client, kubePaths.namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: own, annotations: { 'zun.openstack.org/project': projectId } },
    });
    if (!made && !(await this.#isOwn(namespace))) throw isOfOthers(namespace, own);
    await this.#roles.bind(namespace);
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

  /** Names of all of them, those that go among them. */
  async list(signal?: AbortSignal): Promise<string[]> {
    const query = { labelSelector: `${labels.managedBy}=zun,${labels.instance}=${this.#instance}` };
    const { items } = await listObjects<V1Namespace>(this.#client, kubePaths.namespaces, query, signal, metadataOnly);
    return items.flatMap(({ metadata }) => metadata?.name ?? []);
  }

  /** Has the roles bound in these namespaces where they are not: those that an older release made have none. */
  bindRoles(namespaces: readonly string[], signal?: AbortSignal): Promise<void> {
    return this.#roles.bindWhereMissing(namespaces, signal);
  }

  /**
   * After a refusal for want of a right at a path: has the roles bound in its namespace, and answers whether they are. A namespace that is gone
   * has taken its bindings along: then that is thrown, 404. See `KubeClient.onLackOfRight`.
   */
  async regain(path: string): Promise<boolean> {
    const namespace = namespaceIn(path);
    if (namespace === null) return false;
    try {
      return (await this.#isOwn(namespace)) && (await this.#roles.bind(namespace));
    } catch (error) {
      // That is left to a program that may.
      if (error instanceof KubeError && error.lacksRight) return false;
      throw error;
    }
  }

  async #isOwn(namespace: string): Promise<boolean> {
    const { metadata } = await this.#client.request<V1Namespace>({ method: 'GET', path: kubePaths.namespace(namespace) });
    return metadata?.labels?.[labels.managedBy] === 'zun' && metadata.labels[labels.instance] === this.#instance;
  }
}

const isMissing = (error: unknown, namespace: string): boolean =>
  error instanceof KubeError && error.status === 404 && error.message.includes(`namespaces "${namespace}" not found`);

function isOfOthers(namespace: string, own: Record<string, string>): RuntimeFault {
  const wanted = Object.entries(own).map(([name, value]) => `${name}=${value}`);
  return new RuntimeFault(
    'conflict',
    `The namespace ${namespace} is in use and is not of this Zun: it lacks the labels ${wanted.join(', ')}.`,
  );
}

/** Of what is in a namespace; that a binding can't be made is no reason to bind. */
function namespaceIn(path: string): string | null {
  const [, group, namespace] = /^\/apis?\/(.+\/)?[^/]+\/namespaces\/([^/]+)\/./.exec(path) ?? [];
  return namespace === undefined || group === 'rbac.authorization.k8s.io/' ? null : namespace;
}
