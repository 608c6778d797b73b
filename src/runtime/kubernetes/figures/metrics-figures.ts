import { RuntimeFault } from '../../runtime-fault.ts';
import type { KubeClient } from '../client/kube-client.ts';
import { KubeError } from '../client/kube-error.ts';
import { kubePaths } from '../client/kube-paths.ts';
import { bytesOf, quantityOf } from '../pod/quantity.ts';
import type { RunInWorkload } from '../run-in-workload.ts';
import type { WorkloadPlace } from '../workload-place.ts';
import type { PodFigures } from './pod-figures.ts';

/** What this adapter reads of `metrics.k8s.io`. */
interface PodMetrics {
  containers?: { name?: string; usage?: { cpu?: string; memory?: string } }[];
}

/**
 * From metrics-server, which measures about every fifteen seconds: zero until then. Of the network it knows nothing; the container itself
 * does, where its image has `cat`. Fault `unsupported` in a cluster without it.
 */
export async function metricsFigures(
  client: KubeClient,
  run: RunInWorkload,
  place: WorkloadPlace,
  signal?: AbortSignal,
): Promise<PodFigures> {
  const [metrics, network] = await Promise.all([
    measured(client, place, signal),
    run(place, ['cat', '/proc/net/dev'], { signal }).catch(() => null),
  ]);
  const usage = metrics.containers?.find(({ name }) => name === place.container)?.usage;
  return {
    cores: quantityOf(usage?.cpu ?? '0'),
    memoryBytes: bytesOf(usage?.memory ?? '0'),
    ...networkBytes(network?.exitCode === 0 ? network.stdout.toString('utf8') : ''),
  };
}

async function measured(client: KubeClient, { namespace, name }: WorkloadPlace, signal?: AbortSignal): Promise<PodMetrics> {
  try {
    return await client.request<PodMetrics>({ method: 'GET', path: kubePaths.podMetrics(namespace, name), signal });
  } catch (error) {
    if (!(error instanceof KubeError) || error.status !== 404) throw error;
    // Of a group of the API that nobody serves the answer is no Status.
    if (error.reason === 'NotFound') return {};
    throw new RuntimeFault('unsupported', 'This cluster does not measure Pods: an operator has to install metrics-server.', {
      cause: error,
    });
  }
}

/** The sums of `/proc/net/dev`, without the loopback. Pure. */
export function networkBytes(table: string): Pick<PodFigures, 'receivedBytes' | 'sentBytes'> {
  const sums = { receivedBytes: 0, sentBytes: 0 };
  for (const line of table.split('\n')) {
    const [, name, numbers = ''] = /^\s*([^\s:]+):\s*(.*)$/.exec(line) ?? [];
    const columns = numbers.trim().split(/\s+/);
    if (name === undefined || name === 'lo' || columns.length < 9) continue;
    sums.receivedBytes += Number(columns[0]);
    sums.sentBytes += Number(columns[8]);
  }
  return sums;
}
