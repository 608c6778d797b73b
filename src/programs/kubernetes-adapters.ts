import type { KubernetesSettings as ConfiguredCluster, Settings } from '../config/settings.ts';
import type { Database } from '../db/database.ts';
import { capsuleOf } from '../features/capsules/capsule-store.ts';
import { containerByUuid } from '../features/containers/container-store.ts';
import { ClusterEngineNetworks } from '../local/networking/cluster-engine-networks.ts';
import { LocalNetworking } from '../local/networking/local-networking.ts';
import { ClusterEngineVolumes } from '../local/volumes/cluster-engine-volumes.ts';
import { LocalVolumes, volumeLabels } from '../local/volumes/local-volumes.ts';
import { KubeClient, type KubeObserver } from '../runtime/kubernetes/client/kube-client.ts';
import { kubeFault } from '../runtime/kubernetes/client/kube-fault.ts';
import { loadKubeConfig } from '../runtime/kubernetes/client/load-kube-config.ts';
import { KubernetesImageStore } from '../runtime/kubernetes/kubernetes-image-store.ts';
import { KubernetesRuntime } from '../runtime/kubernetes/kubernetes-runtime.ts';
import type { KubernetesSettings } from '../runtime/kubernetes/kubernetes-settings.ts';
import { AgentNodeAccess } from '../runtime/kubernetes/node/agent-node-access.ts';
import type { NodeAccess } from '../runtime/kubernetes/node/node-access.ts';
import { clusterNetwork } from '../runtime/kubernetes/pod/cluster-network.ts';
import { ProjectNamespaces } from '../runtime/kubernetes/project-namespaces.ts';
import { PullerPods } from '../runtime/kubernetes/puller-pods.ts';
import { WorkloadPods } from '../runtime/kubernetes/workload-pods.ts';
import type { Clock } from '../telemetry/clock.ts';
import type { Ids } from '../telemetry/ids.ts';
import type { LocalAdapters } from './local-adapters.ts';

export interface KubernetesAdapterOptions {
  settings: Settings;
  database: Database;
  clock: Clock;
  ids: Ids;
  /** The node whose facts are asked for, for its agent; `null` elsewhere. */
  node: string | null;
  observer?: KubeObserver;
}

/** The adapters where workloads are Pods of a cluster. Throws an `Error` in words for the operator. */
export async function kubernetesAdapters(options: KubernetesAdapterOptions): Promise<LocalAdapters> {
  const { database, clock, ids, node, settings } = options;
  const { kubernetes } = settings;
  const client = new KubeClient(loadKubeConfig(kubernetes), options.observer, clock);
  const cluster = runtimeSettings(settings);
  const namespaces = new ProjectNamespaces(client, cluster.instance, kubernetes.projectRoles);
  client.onLackOfRight((path) => namespaces.regain(path));
  const nodeAccess = kubernetes.nodeAccess ? agents(client, kubernetes, clock) : null;
  const pullers = new PullerPods({ client, pods: new WorkloadPods(client, clock), namespaces, settings: cluster, clock });
  return {
    runtime: new KubernetesRuntime({ client, settings: cluster, clock, nodeAccess, namespaces, ownerOf: ownersIn(database), node }),
    images: new KubernetesImageStore({ client, pullers, nodeAccess }),
    networking: new LocalNetworking({
      engine: new ClusterEngineNetworks({ client, ...kubernetes }),
      database,
      ids,
      defaultNetwork: clusterNetwork,
    }),
    volumes: new LocalVolumes({ engine: clusterVolumes(client, kubernetes, namespaces), database }),
    description: `Kubernetes, namespaces ${kubernetes.namespacePrefix}…`,
    checkEngine: (signal) =>
      client.bytes({ method: 'GET', path: '/readyz', signal }).catch((error) => {
        throw kubeFault(error, signal);
      }),
    close: () => client.close(),
  };
}

function agents(client: KubeClient, { agentNamespace, agentSelector }: ConfiguredCluster, clock: Clock): NodeAccess {
  return new AgentNodeAccess({ client, clock, namespace: agentNamespace, selector: agentSelector, command: ['zun', 'node'] });
}

/** Seconds that a Pod may take to end which its node's agent ends: evictions wait so long for what ignores SIGTERM. */
const longestGrace = 60;

function runtimeSettings({ kubernetes, containers, allocationRatios, deadlines }: Settings): KubernetesSettings {
  return {
    instance: kubernetes.instance,
    namespacePrefix: kubernetes.namespacePrefix,
    // With node access a stop has its own grace period, as far as its Pod's reaches.
    stopGraceSeconds: kubernetes.nodeAccess ? Math.max(longestGrace, containers.stopGraceSeconds) : containers.stopGraceSeconds,
    pullDeadlineSeconds: kubernetes.pullDeadlineSeconds,
    runtimeClasses: kubernetes.runtimeClasses,
    defaultRuntimeClass: kubernetes.defaultRuntimeClass === '' ? null : kubernetes.defaultRuntimeClass,
    allocationRatios: { cpu: allocationRatios.cpu, memory: allocationRatios.memory },
    splitsLogStreams: kubernetes.splitsLogStreams,
    networkNamespace: kubernetes.networkNamespace,
    networkDeadlineSeconds: deadlines.networkSeconds,
  };
}

function clusterVolumes(client: KubeClient, settings: ConfiguredCluster, namespaces: ProjectNamespaces): ClusterEngineVolumes {
  return new ClusterEngineVolumes({
    client,
    settings,
    labels: volumeLabels,
    inNamespace: (namespace, projectId, work) => namespaces.within(namespace, projectId, work),
  });
}

/** Whose a workload is, from its row: one query, two for a member of a capsule, once a process. */
function ownersIn({ queries }: Database) {
  return async (uuid: string) => {
    const row = await containerByUuid(queries, uuid);
    return row ? { projectId: row.projectId, capsule: await capsuleOf(queries, uuid) } : null;
  };
}
