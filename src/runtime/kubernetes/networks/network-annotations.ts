/** Annotations of Multus: the network in place of the cluster's own, those beside it, and what has come of them. */
export const networkAnnotations = {
  first: 'v1.multus-cni.io/default-network',
  further: 'k8s.v1.cni.cncf.io/networks',
  status: 'k8s.v1.cni.cncf.io/network-status',
} as const;
