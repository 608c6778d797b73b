import type { WorkloadStats } from '../container-runtime.ts';
import type { KubeClient } from './kube-client.ts';
import type { KubePod } from './kube-object.ts';
import { kubePaths } from './kube-paths.ts';
import { bytesOf } from './quantity.ts';

/** What this adapter reads of a kubelet's `/stats/summary`. */
interface Summary {
  pods?: PodSummary[];
}

interface PodSummary {
  podRef?: { uid?: string };
  containers?: { name?: string; cpu?: { usageNanoCores?: number }; memory?: { workingSetBytes?: number } }[];
  network?: { interfaces?: { rxBytes?: number; txBytes?: number }[]; rxBytes?: number; txBytes?: number };
}

/**
 * The figures of a workload from its node's kubelet, which takes them about every ten seconds: zero until then. Processor time is the
 * latest, in percent of the node's cores. A kubelet tells nothing of block devices.
 */
export async function podStats(client: KubeClient, pod: KubePod, container: string, signal?: AbortSignal): Promise<WorkloadStats> {
  const node = pod.spec?.nodeName ?? '';
  const [summary, capacity] = await Promise.all([
    client.request<Summary>({ method: 'GET', path: kubePaths.nodeSummary(node), signal }),
    client.request<{ status?: { capacity?: Record<string, string> } }>({ method: 'GET', path: kubePaths.node(node), signal }),
  ]);
  const own = summary.pods?.find(({ podRef }) => podRef?.uid === pod.metadata?.uid);
  const used = own?.containers?.find(({ name }) => name === container);
  const cores = Number(capacity.status?.capacity?.cpu ?? 1);
  const { network = {} } = own ?? {};
  const interfaces = network.interfaces ?? [network];
  const limit = pod.spec?.containers.find(({ name }) => name === container)?.resources?.limits?.memory;
  return {
    cpuPercent: ((used?.cpu?.usageNanoCores ?? 0) / 1e9 / cores) * 100,
    memoryUsedBytes: used?.memory?.workingSetBytes ?? 0,
    memoryLimitBytes: bytesOf(limit ?? capacity.status?.capacity?.memory ?? '0'),
    blockReadBytes: 0,
    blockWriteBytes: 0,
    networkReceivedBytes: interfaces.reduce((sum, { rxBytes }) => sum + (rxBytes ?? 0), 0),
    networkSentBytes: interfaces.reduce((sum, { txBytes }) => sum + (txBytes ?? 0), 0),
  };
}
