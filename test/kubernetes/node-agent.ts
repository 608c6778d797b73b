import path from 'node:path';
import { AgentNodeAccess } from '../../src/runtime/kubernetes/agent-node-access.ts';
import type { KubeClient } from '../../src/runtime/kubernetes/kube-client.ts';
import { systemClock } from '../../src/telemetry/clock.ts';
import type { Cluster } from '../cluster/cluster.ts';

/** The label that the agent's Pod has. */
const name = 'node-agent';

/**
 * Starts what stands for the node agent's Pod in a namespace: it has all of the node, and so the checkout, its Node and containerd's socket.
 * Answers the way to ask nodes by it.
 */
export async function startNodeAgent(cluster: Cluster, namespace: string): Promise<(client: KubeClient) => AgentNodeAccess> {
  const host = { name: 'host', hostPath: { path: '/' } };
  const agent = {
    name: 'agent',
    image: `${cluster.registry}/busybox:1`,
    command: ['sh', '-c', 'trap exit TERM; while :; do sleep 1 & wait; done'],
    volumeMounts: [{ name: host.name, mountPath: '/host', mountPropagation: 'HostToContainer' }],
  };
  // Its network is the node's: there is no DNS, and the registry is on the node's own address.
  const spec = { hostNetwork: true, runtimeClassName: 'runc', terminationGracePeriodSeconds: 1, containers: [agent], volumes: [host] };
  await cluster.apply({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, labels: { app: name } }, spec });
  await cluster.kubectl('--namespace', namespace, 'wait', '--for=condition=Ready', '--timeout=60s', `pod/${name}`);
  const command = ['chroot', '/host', path.resolve(import.meta.dirname, '../../bin/zun'), 'node'];
  return (client) => new AgentNodeAccess({ client, clock: systemClock, namespace, selector: `app=${name}`, command });
}
