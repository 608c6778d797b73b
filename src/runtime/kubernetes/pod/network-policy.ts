import type { V1NetworkPolicy } from '@kubernetes/client-node';

/**
 * What a project's workloads may be reached from where the cluster enforces policies: each other, as in Neutron's default security group.
 * They reach everything. Pure.
 */
export function networkPolicyOf(namespace: string, labels: Record<string, string>): V1NetworkPolicy {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'zun-default', namespace, labels },
    spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [{ _from: [{ podSelector: {} }] }] },
  };
}
