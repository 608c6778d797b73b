import path from 'node:path';
import type { KubeClient } from '../../src/runtime/kubernetes/client/kube-client.ts';
import { AgentNodeAccess } from '../../src/runtime/kubernetes/node/agent-node-access.ts';
import { systemClock } from '../../src/telemetry/clock.ts';
import type { Cluster } from '../cluster/cluster.ts';

const name = 'node-agent';
/** The label that the agent's Pod has, as agents have it. */
const label = { 'app.kubernetes.io/name': 'zun-compute-agent' };
/** Stands for the program in the agent's image. */
const program = path.resolve(import.meta.dirname, '../../bin/zun');
const script = [
  `printf '#!/bin/sh\\nexec chroot /host ${program} "$@"\\n' > /bin/zun`,
  'chmod +x /bin/zun',
  'trap exit TERM',
  'while :; do sleep 1 & wait; done',
].join('; ');

/**
 * Starts what stands for the node agent's Pod in a namespace: it has all of the node, and so the checkout, its Node and containerd's socket.
 * Answers the way to ask nodes by it.
 */
export async function startNodeAgent(cluster: Cluster, namespace: string): Promise<(client: KubeClient) => AgentNodeAccess> {
  const host = { name: 'host', hostPath: { path: '/' } };
  const agent = {
    name: 'agent',
    image: `${cluster.registry}/busybox:1`,
    command: ['sh', '-c', script],
    volumeMounts: [{ name: host.name, mountPath: '/host', mountPropagation: 'HostToContainer' }],
  };
  // Its network is the node's: there is no DNS, and the registry is on the node's own address.
  const spec = { hostNetwork: true, runtimeClassName: 'runc', terminationGracePeriodSeconds: 1, containers: [agent], volumes: [host] };
  await cluster.apply({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, labels: label }, spec });
  await cluster.kubectl('--namespace', namespace, 'wait', '--for=condition=Ready', '--timeout=60s', `pod/${name}`);
  const selector = Object.entries(label)
    .map((pair) => pair.join('='))
    .join(',');
  return (client) => new AgentNodeAccess({ client, clock: systemClock, namespace, selector, command: ['zun', 'node'] });
}
