/** What a cluster has from the beginning. Without hardware virtualization `kata` only tests that the class is handed on: it is gVisor. */
export const initialObjects = [
  ...Object.entries({ runc: 'runc', gvisor: 'runsc', kata: 'runsc' }).map(([name, handler]) => ({
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    metadata: { name },
    handler,
  })),
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'test-hostpath' },
    provisioner: 'kubernetes.io/host-path',
  },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'network-attachment-definitions.k8s.cni.cncf.io' },
    spec: {
      group: 'k8s.cni.cncf.io',
      scope: 'Namespaced',
      names: {
        kind: 'NetworkAttachmentDefinition',
        singular: 'network-attachment-definition',
        plural: 'network-attachment-definitions',
        shortNames: ['net-attach-def'],
      },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties: { config: { type: 'string' } } } },
            },
          },
        },
      ],
    },
  },
];

/** metrics.k8s.io, served by the component metrics-server on the node's address. */
export const metricsObjects = (nodeAddress: string) => [
  {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1beta1.metrics.k8s.io' },
    spec: {
      group: 'metrics.k8s.io',
      version: 'v1beta1',
      groupPriorityMinimum: 100,
      versionPriority: 100,
      insecureSkipTLSVerify: true,
      service: { name: 'metrics', namespace: 'kube-system', port: 4443 },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'metrics', namespace: 'kube-system' },
    spec: { ports: [{ port: 4443, protocol: 'TCP' }] },
  },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'metrics-1', namespace: 'kube-system', labels: { 'kubernetes.io/service-name': 'metrics' } },
    addressType: 'IPv4',
    ports: [{ port: 4443, protocol: 'TCP' }],
    endpoints: [{ addresses: [nodeAddress], conditions: { ready: true } }],
  },
];

/** A Node that KWOK plays. Tainted, so that no Pod lands on it that does not ask for it. */
export const kwokNode = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name,
    annotations: { 'kwok.x-k8s.io/node': 'fake' },
    labels: { type: 'kwok', 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' },
  },
  spec: { taints: [{ key: 'kwok.x-k8s.io/node', value: 'fake', effect: 'NoSchedule' }] },
  status: { allocatable: { cpu: '32', memory: '256Gi', pods: '110' }, capacity: { cpu: '32', memory: '256Gi', pods: '110' } },
});
