import type { WorkloadStats } from '../../container-runtime.ts';
import type { KubeClient } from '../client/kube-client.ts';
import { KubeError } from '../client/kube-error.ts';
import { kubePaths } from '../client/kube-paths.ts';
import type { KubePod } from '../kube-object.ts';
import { bytesOf } from '../pod/quantity.ts';
import type { RunInWorkload } from '../run-in-workload.ts';
import type { WorkloadPlace } from '../workload-place.ts';
import { kubeletFigures } from './kubelet-figures.ts';
import { metricsFigures } from './metrics-figures.ts';

/**
 * The figures of a workload: from its node's kubelet where this service may ask that, else from metrics-server. Processor time is the
 * latest, in percent of the node's cores. Nobody tells of block devices.
 */
export async function podStats(
  { client, run }: { client: KubeClient; run: RunInWorkload },
  place: WorkloadPlace,
  pod: KubePod,
  signal?: AbortSignal,
): Promise<WorkloadStats> {
  const container = place.container ?? '';
  const path = kubePaths.node(pod.spec?.nodeName ?? '');
  const [figures, { status: node }] = await Promise.all([
    kubeletFigures(client, pod, container, signal).catch((error) => {
      if (!(error instanceof KubeError) || error.status !== 403) throw error;
      return metricsFigures(client, run, place, signal);
    }),
    client.request<{ status?: { capacity?: Record<string, string> } }>({ method: 'GET', path, signal }),
  ]);
  const limit = pod.spec?.containers.find(({ name }) => name === container)?.resources?.limits?.memory;
  return {
    cpuPercent: (figures.cores / Number(node?.capacity?.cpu ?? 1)) * 100,
    memoryUsedBytes: figures.memoryBytes,
    memoryLimitBytes: bytesOf(limit ?? node?.capacity?.memory ?? '0'),
    blockReadBytes: 0,
    blockWriteBytes: 0,
    networkReceivedBytes: figures.receivedBytes,
    networkSentBytes: figures.sentBytes,
  };
}
