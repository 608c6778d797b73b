import type { KubeClient } from '../../../src/runtime/kubernetes/client/kube-client.ts';
import { kubePaths } from '../../../src/runtime/kubernetes/client/kube-paths.ts';
import type { KubePod } from '../../../src/runtime/kubernetes/kube-object.ts';
import type { Member } from './population.ts';

/** Has the kubelet of a played node say that the container was run again, at that time (epoch milliseconds of a whole second). */
export async function playRestart(client: KubeClient, { namespace, name }: Pick<Member, 'namespace' | 'name'>, at: number): Promise<void> {
  const path = kubePaths.pod(namespace, name);
  const { status } = await client.request<KubePod>({ method: 'GET', path });
  const startedAt = new Date(at).toISOString().replace('.000Z', 'Z');
  const containerStatuses = status?.containerStatuses?.map((container) => ({
    ...container,
    restartCount: container.restartCount + 1,
    state: { running: { startedAt } },
  }));
  await client.request({
    method: 'PATCH',
    path: `${path}/status`,
    body: { status: { containerStatuses } },
    contentType: 'application/strategic-merge-patch+json',
  });
}
