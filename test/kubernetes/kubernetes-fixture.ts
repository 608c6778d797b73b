import { randomBytes } from 'node:crypto';
import { KubeClient } from '../../src/runtime/kubernetes/client/kube-client.ts';
import { loadKubeConfig } from '../../src/runtime/kubernetes/client/load-kube-config.ts';
import type { KubeSecret } from '../../src/runtime/kubernetes/kube-object.ts';
import { KubernetesImageStore } from '../../src/runtime/kubernetes/kubernetes-image-store.ts';
import { KubernetesRuntime } from '../../src/runtime/kubernetes/kubernetes-runtime.ts';
import type { KubernetesSettings } from '../../src/runtime/kubernetes/kubernetes-settings.ts';
import type { NodeAccess } from '../../src/runtime/kubernetes/node/node-access.ts';
import { projectNamespace } from '../../src/runtime/kubernetes/pod/project-namespace.ts';
import { ProjectNamespaces } from '../../src/runtime/kubernetes/project-namespaces.ts';
import { PullerPods } from '../../src/runtime/kubernetes/puller-pods.ts';
import { WorkloadPods } from '../../src/runtime/kubernetes/workload-pods.ts';
import { systemClock } from '../../src/telemetry/clock.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { RuntimeFixture } from '../contract/runtime/runtime-fixture.ts';
import { until } from '../system/engine/until.ts';
import { startNodeAgent } from './node-agent.ts';
import { makeTestNetwork } from './test-network.ts';

/** A runtime on the test cluster, in namespaces of its own, and what the contract's tests need to know of it. */
export interface KubernetesFixture extends RuntimeFixture {
  runtime: KubernetesRuntime;
  client: KubeClient;
  settings: KubernetesSettings;
}

export async function kubernetesFixture(
  cluster: Cluster,
  options: { runtimeClass: string; hasNodeAccess: boolean; settings?: Partial<KubernetesSettings>; kubeconfig?: string },
): Promise<KubernetesFixture> {
  const client = new KubeClient(loadKubeConfig({ kubeconfig: options.kubeconfig ?? cluster.kubeconfig, context: null }));
  const name = `t${randomBytes(4).toString('hex')}`;
  const settings: KubernetesSettings = {
    instance: name,
    namespacePrefix: `${name}-`,
    stopGraceSeconds: 2,
    pullDeadlineSeconds: 60,
    runtimeClasses: { runc: 'runc', gvisor: 'gvisor', kata: 'kata' },
    defaultRuntimeClass: options.runtimeClass,
    allocationRatios: { cpu: 16, memory: 1.5 },
    splitsLogStreams: true,
    networkNamespace: `${name}-networks`,
    networkDeadlineSeconds: 30,
    ...options.settings,
  };
  const clock = systemClock;
  const namespaces = new ProjectNamespaces(client, name);
  const nodeAccess = options.hasNodeAccess ? await nodeAccessIn(cluster, client, namespaces, `${name}-agent`) : null;
  const pods = new WorkloadPods(client, clock);
  const runtime = new KubernetesRuntime({
    client,
    settings,
    clock,
    nodeAccess,
    namespaces,
    ownerOf: async () => null,
    node: cluster.nodeName,
  });
  await namespaces.ensure(settings.networkNamespace, 'networks');
  const network = await makeTestNetwork(cluster, settings.networkNamespace, name);
  return {
    runtime,
    client,
    settings,
    network: { name: `${network.namespace}/${network.name}`, ipv4: `${network.prefix}.77` },
    images: new KubernetesImageStore({ client, pullers: new PullerPods({ client, pods, namespaces, settings, clock }), nodeAccess }).on(
      cluster.nodeName,
    ),
    volume: await volumeIn(cluster, namespaces, projectNamespace(settings.namespacePrefix, 'project')),
    image: `${cluster.registry}/busybox:1`,
    missing: { repository: `${cluster.registry}/no-such-image`, tag: '1' },
    keepsLogs: false,
    // Debian's gVisor has no `update`, and no shim of its own: runc's waits in vain for a main process's console.
    resizes: options.runtimeClass !== 'gvisor',
    terminals: options.runtimeClass !== 'gvisor',
    filesBeforeStart: nodeAccess !== null,
    keepsFiles: nodeAccess !== null,
    knowsImages: nodeAccess !== null,
    pullable: { repository: `${cluster.registry}/busybox`, tag: '1' },
    leftovers: async (uuid) => {
      const labelSelector = `zun.openstack.org/workload=${uuid}`;
      const names = await Promise.all(
        ['pods', 'secrets'].map(async (kind) => {
          const { items } = await client.request<{ items: KubeSecret[] }>({
            method: 'GET',
            path: `/api/v1/${kind}`,
            query: { labelSelector },
          });
          return items.map(({ metadata }) => `${kind}/${metadata?.name}`);
        }),
      );
      return names.flat();
    },
    cleanup: async () => {
      await cluster.kubectl('delete', 'namespace', '-l', `app.kubernetes.io/instance=${name}`, '--wait=false', '--ignore-not-found');
      await client.close();
    },
  };
}

async function nodeAccessIn(cluster: Cluster, client: KubeClient, namespaces: ProjectNamespaces, namespace: string): Promise<NodeAccess> {
  await namespaces.ensure(namespace, 'agent');
  await until('Pods have a service account', () => cluster.kubectl('-n', namespace, 'get', 'serviceaccount', 'default'));
  return (await startNodeAgent(cluster, namespace))(client);
}

/** Makes an empty volume in a project's namespace; answers its name. */
async function volumeIn(cluster: Cluster, namespaces: ProjectNamespaces, namespace: string): Promise<string> {
  const name = 'contract';
  await namespaces.ensure(namespace, 'project');
  const spec = { accessModes: ['ReadWriteOnce'], storageClassName: 'test-hostpath', resources: { requests: { storage: '1Gi' } } };
  await cluster.apply({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name, namespace }, spec });
  return name;
}
