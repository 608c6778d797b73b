import { inParallel } from '../../../src/runtime/in-parallel.ts';
import type { KubeClient } from '../../../src/runtime/kubernetes/client/kube-client.ts';
import { kubePaths } from '../../../src/runtime/kubernetes/client/kube-paths.ts';
import type { KubePod, KubeSecret } from '../../../src/runtime/kubernetes/kube-object.ts';
import { ProjectNamespaces } from '../../../src/runtime/kubernetes/project-namespaces.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { until } from '../../system/engine/until.ts';
import type { Population } from './population.ts';

const atOnce = 24;

/** Makes the nodes, namespaces, records and Pods of a population through the API server, and waits until all Pods run. */
export async function populateCluster(cluster: Cluster, client: KubeClient, instance: string, population: Population): Promise<void> {
  await cluster.startKwok(...population.nodes);
  const namespaces = new ProjectNamespaces(client, instance);
  const ofProjects = new Map(population.members.map(({ namespace, projectId }) => [namespace, projectId]));
  await inParallel([...ofProjects], atOnce, ([namespace, projectId]) => namespaces.ensure(namespace, projectId));
  await inParallel(population.members, atOnce, async (member) => {
    const { record, podOf } = population.objects(member);
    const { metadata } = await client.request<KubeSecret>({ method: 'POST', path: kubePaths.secrets(member.namespace), body: record });
    await client.request({ method: 'POST', path: kubePaths.pods(member.namespace), body: podOf(metadata?.uid ?? '') });
  });
  const query = { labelSelector: `app.kubernetes.io/instance=${instance}`, fieldSelector: 'status.phase!=Running', limit: 1 };
  const late = async () => (await client.request<{ items: KubePod[] }>({ method: 'GET', path: kubePaths.pods(), query })).items.length;
  await until('all Pods run', async () => ((await late()) === 0 ? true : null), 600_000);
}
