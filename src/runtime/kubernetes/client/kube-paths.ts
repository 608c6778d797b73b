/** Paths of the Kubernetes API that the runtime asks. Names come from UUIDs and project ids, which need no escaping; those of networks may come from users. */
export const kubePaths = {
  namespaces: '/api/v1/namespaces',
  namespace: (name: string) => `/api/v1/namespaces/${name}`,
  /** Of one namespace, or of all. */
  roleBindings: (namespace?: string) =>
    `/apis/rbac.authorization.k8s.io/v1${namespace === undefined ? '' : `/namespaces/${namespace}`}/rolebindings`,
  networkPolicies: (namespace: string) => `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`,
  /** Of one namespace, or of all. */
  pods: (namespace?: string) => (namespace === undefined ? '/api/v1/pods' : `/api/v1/namespaces/${namespace}/pods`),
  pod: (namespace: string, name: string, subresource?: 'log' | 'exec' | 'attach' | 'resize') =>
    `/api/v1/namespaces/${namespace}/pods/${name}${subresource === undefined ? '' : `/${subresource}`}`,
  events: (namespace: string) => `/api/v1/namespaces/${namespace}/events`,
  secrets: (namespace: string) => `/api/v1/namespaces/${namespace}/secrets`,
  secret: (namespace: string, name: string) => `/api/v1/namespaces/${namespace}/secrets/${name}`,
  networkDefinitions: (namespace: string) => `/apis/k8s.cni.cncf.io/v1/namespaces/${namespace}/network-attachment-definitions`,
  networkDefinition: (namespace: string, name: string) =>
    `/apis/k8s.cni.cncf.io/v1/namespaces/${namespace}/network-attachment-definitions/${encodeURIComponent(name)}`,
  claims: (namespace: string) => `/api/v1/namespaces/${namespace}/persistentvolumeclaims`,
  claim: (namespace: string, name: string) => `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${name}`,
  podMetrics: (namespace: string, name: string) => `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods/${name}`,
  nodes: '/api/v1/nodes',
  node: (name: string) => `/api/v1/nodes/${name}`,
  nodeSummary: (name: string) => `/api/v1/nodes/${name}/proxy/stats/summary`,
} as const;
