import type { V1RoleBinding } from '@kubernetes/client-node';
import { inParallel } from '../in-parallel.ts';
import { createOnce } from './client/create-once.ts';
import type { KubeClient } from './client/kube-client.ts';
import { KubeError } from './client/kube-error.ts';
import { kubePaths } from './client/kube-paths.ts';
import { listObjects } from './client/list-objects.ts';
import { labels } from './kube-object.ts';

/** A service account, `namespace/name`, by the ClusterRole that it has in each namespace of a project. */
export type AccountsByRole = Readonly<Record<string, string>>;

const rbac = 'rbac.authorization.k8s.io';
/** So many namespaces are given their bindings at a time. */
const atOnce = 8;

/**
 * Binds the roles that Zun's programs have in namespaces of projects, for whoever may: RBAC can't say beforehand which namespaces these will be.
 * A binding is named after its role, and one that exists is left as it is. Where there are no roles, as with an administrator's kubeconfig,
 * nothing is asked.
 */
export class ProjectRoles {
  readonly #client: KubeClient;
  readonly #instance: string;
  readonly #roles: [role: string, account: string][];

  constructor(client: KubeClient, instance: string, roles: AccountsByRole) {
    this.#client = client;
    this.#instance = instance;
    this.#roles = Object.entries(roles);
  }

  /** `false` where there is nothing to bind. */
  async bind(namespace: string, signal?: AbortSignal): Promise<boolean> {
    await Promise.all(this.#bindings().map((binding) => createOnce(this.#client, kubePaths.roleBindings(namespace), binding, signal)));
    return this.#roles.length > 0;
  }

  /** The same in many namespaces, after a look at which bindings there are. One that goes, or is not this installation's, is passed over. */
  async bindWhereMissing(namespaces: readonly string[], signal?: AbortSignal): Promise<void> {
    if (this.#roles.length === 0 || namespaces.length === 0) return;
    const query = { labelSelector: `${labels.managedBy}=zun,${labels.instance}=${this.#instance}` };
    const { items } = await listObjects<V1RoleBinding>(this.#client, kubePaths.roleBindings(), query, signal);
    const bound = new Set(items.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`));
    const lacking = namespaces.filter((namespace) => this.#roles.some(([role]) => !bound.has(`${namespace}/${role}`)));
    await inParallel(lacking, atOnce, async (namespace) => {
      await this.bind(namespace, signal).catch((error) => {
        if (!(error instanceof KubeError && error.isRefusal)) throw error;
      });
    });
  }

  #bindings(): V1RoleBinding[] {
    return this.#roles.map(([role, account]) => {
      const [namespace = '', name = ''] = account.split('/');
      return {
        apiVersion: `${rbac}/v1`,
        kind: 'RoleBinding',
        metadata: { name: role, labels: { [labels.managedBy]: 'zun', [labels.instance]: this.#instance } },
        roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
        subjects: [{ kind: 'ServiceAccount', namespace, name }],
      };
    });
  }
}
