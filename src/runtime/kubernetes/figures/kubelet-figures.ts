import type { KubeClient } from '../client/kube-client.ts';
import { kubePaths } from '../client/kube-paths.ts';
import type { KubePod } from '../kube-object.ts';
import type { PodFigures } from './pod-figures.ts';

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
 * From the node's kubelet, which measures about every ten seconds: zero until then. Needs the right `get nodes/proxy`, with which one
 * can do whatever a kubelet can.
 */
export async function kubeletFigures(client: KubeClient, pod: KubePod, container: string, signal?: AbortSignal): Promise<PodFigures> {
  const path = kubePaths.nodeSummary(pod.spec?.nodeName ?? '');
  const summary = await client.request<Summary>({ method: 'GET', path, signal });
  const own = summary.pods?.find(({ podRef }) => podRef?.uid === pod.metadata?.uid);
  const used = own?.containers?.find(({ name }) => name === container);
  const { network = {} } = own ?? {};
  const interfaces = network.interfaces ?? [network];
  return {
    cores: (used?.cpu?.usageNanoCores ?? 0) / 1e9,
    memoryBytes: used?.memory?.workingSetBytes ?? 0,
    receivedBytes: interfaces.reduce((sum, { rxBytes }) => sum + (rxBytes ?? 0), 0),
    sentBytes: interfaces.reduce((sum, { txBytes }) => sum + (txBytes ?? 0), 0),
  };
}
