import type { V1Affinity } from '@kubernetes/client-node';

/** Of a Pod for one node. Not `nodeName`, which would go past kube-scheduler with its eye on resources and taints. Pure. */
export function nodeAffinityTo(host: string): V1Affinity {
  const onlyThere = { matchFields: [{ key: 'metadata.name', operator: 'In', values: [host] }] };
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [onlyThere] } } };
}
