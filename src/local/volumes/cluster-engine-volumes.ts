import type { V1PersistentVolumeClaim } from '@kubernetes/client-node';
import type { KubeClient } from '../../runtime/kubernetes/client/kube-client.ts';
import { KubeError } from '../../runtime/kubernetes/client/kube-error.ts';
import { kubeFault } from '../../runtime/kubernetes/client/kube-fault.ts';
import { kubePaths } from '../../runtime/kubernetes/client/kube-paths.ts';
import { listObjects } from '../../runtime/kubernetes/client/list-objects.ts';
import { labels as kubeLabels } from '../../runtime/kubernetes/kube-object.ts';
import { projectNamespace } from '../../runtime/kubernetes/pod/project-namespace.ts';
import { heldWords } from '../../runtime/kubernetes/state/held-words.ts';
import { RuntimeFault } from '../../runtime/runtime-fault.ts';
import type { EngineVolume, EngineVolumes } from './engine-volumes.ts';

/** Holds an `EngineVolume`'s labels, which a Kubernetes label could not. */
const labelsAnnotation = 'zun.openstack.org/volume';
const kind = 'volume';
/** Kubernetes' own, which it clears once no Pod uses the claim. */
const whileUsed = 'kubernetes.io/pvc-protection';

export interface ClusterEngineVolumesOptions {
  client: KubeClient;
  settings: { instance: string; namespacePrefix: string; storageClass: string | null };
  /** The members of `labels` that say whose a volume is, and how many GiB it has. */
  labels: { project: string; size: string };
  /** Does work in the namespace of a project, which is made where it is not there. */
  inNamespace<T>(namespace: string, projectId: string, work: () => Promise<T>): Promise<T>;
}

/** Volumes of a cluster where no Cinder is: claims of the operator's storage class in the project's namespace, used by one Pod at a time. */
export class ClusterEngineVolumes implements EngineVolumes {
  readonly #options: ClusterEngineVolumesOptions;

  constructor(options: ClusterEngineVolumesOptions) {
    this.#options = options;
  }

  async list(projectId: string, signal?: AbortSignal): Promise<EngineVolume[]> {
    const { client, settings } = this.#options;
    const path = kubePaths.claims(projectNamespace(settings.namespacePrefix, projectId));
    const labelSelector = `${kubeLabels.instance}=${settings.instance},${kubeLabels.kind}=${kind}`;
    try {
      return (await listObjects<V1PersistentVolumeClaim>(client, path, { labelSelector }, signal)).items.map((claim) =>
        this.#volumeOf(claim, projectId),
      );
    } catch (error) {
      // A project without a namespace has none.
      if (error instanceof KubeError && error.status === 404) return [];
      throw kubeFault(error, signal);
    }
  }

  async create({ name, labels }: EngineVolume, signal?: AbortSignal): Promise<void> {
    const { client, settings, labels: names, inNamespace } = this.#options;
    const projectId = labels[names.project] ?? '';
    const namespace = this.#namespaceOf(labels);
    const body: V1PersistentVolumeClaim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name,
        labels: { [kubeLabels.managedBy]: 'zun', [kubeLabels.instance]: settings.instance, [kubeLabels.kind]: kind },
        annotations: { [labelsAnnotation]: JSON.stringify(labels) },
      },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: `${labels[names.size] ?? 1}Gi` } },
        ...(settings.storageClass === null ? {} : { storageClassName: settings.storageClass }),
      },
    };
    try {
      await inNamespace(namespace, projectId, () => client.request({ method: 'POST', path: kubePaths.claims(namespace), body, signal }));
    } catch (error) {
      if (!(error instanceof KubeError && error.status === 409 && error.reason === 'AlreadyExists')) throw kubeFault(error, signal);
    }
  }

  /** Fault `unreachable` while finalizers of others hold the claim. */
  async remove({ name, labels }: EngineVolume, signal?: AbortSignal): Promise<void> {
    const namespace = this.#namespaceOf(labels);
    let going: V1PersistentVolumeClaim;
    try {
      going = await this.#options.client.request({ method: 'DELETE', path: kubePaths.claim(namespace, name), signal });
    } catch (error) {
      if (error instanceof KubeError && error.status === 404) return;
      throw kubeFault(error, signal);
    }
    const held = (going.metadata?.finalizers ?? []).filter((finalizer) => finalizer !== whileUsed);
    if (held.length > 0) throw new RuntimeFault('unreachable', heldWords(`The PersistentVolumeClaim ${namespace}/${name}`, held));
  }

  /** Its namespace says whose it is, where nothing else does. */
  #volumeOf({ metadata }: V1PersistentVolumeClaim, projectId: string): EngineVolume {
    const own = JSON.parse(metadata?.annotations?.[labelsAnnotation] ?? '{}');
    return { name: metadata?.name ?? '', labels: { [this.#options.labels.project]: projectId, ...own } };
  }

  #namespaceOf(labels: Record<string, string>): string {
    const { settings, labels: names } = this.#options;
    return projectNamespace(settings.namespacePrefix, labels[names.project] ?? '');
  }
}
