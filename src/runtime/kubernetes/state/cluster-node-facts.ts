import type { V1Node } from '@kubernetes/client-node';
import type { NodeFacts, WorkloadObservation } from '../../container-runtime.ts';
import { bytesOf, quantityOf } from '../pod/quantity.ts';

/** Go names machines otherwise than the kernel does. */
const machineNames: Record<string, string> = { amd64: 'x86_64', arm64: 'aarch64' };
const mebibyte = 2 ** 20;
const gibibyte = 2 ** 30;

/**
 * A node as the scheduler is to see it: what the kubelet lets Pods have. `runtimes`: what containers may name. A disk limit is one of
 * ephemeral storage, which every kubelet heeds. Pure.
 */
export function clusterNodeFacts(node: V1Node, runtimes: string[], observations: WorkloadObservation[]): NodeFacts {
  const { allocatable = {}, capacity = {}, nodeInfo } = node.status ?? {};
  const amount = (name: string) => allocatable[name] ?? capacity[name] ?? '0';
  const count = (...statuses: string[]) => observations.filter(({ state }) => statuses.includes(state.status)).length;
  return {
    hostname: node.metadata?.name ?? '',
    ...(node.metadata?.uid ? { uid: node.metadata.uid } : {}),
    cpus: Math.floor(quantityOf(amount('cpu'))),
    memoryTotalMiB: Math.floor(bytesOf(amount('memory')) / mebibyte),
    diskTotalGiB: Math.floor(bytesOf(capacity['ephemeral-storage'] ?? '0') / gibibyte),
    diskUsedGiB: 0,
    diskQuotaSupported: true,
    architecture: machineNames[nodeInfo?.architecture ?? ''] ?? nodeInfo?.architecture ?? '',
    osType: nodeInfo?.operatingSystem ?? 'linux',
    os: nodeInfo?.osImage ?? '',
    kernelVersion: nodeInfo?.kernelVersion ?? '',
    labels: node.metadata?.labels ?? {},
    runtimes,
    containers: {
      total: observations.length,
      running: count('running', 'restarting'),
      paused: count('paused'),
      stopped: count('created', 'exited', 'dead'),
    },
  };
}
