import path from 'node:path';
import { type ClusterPlace, node, registry } from './cluster-facts.ts';
import { networkConfiguration } from './network-plugins.ts';

/** How a part of the cluster is started, and asked whether it answers. Both are commands inside the cluster's namespaces. */
export interface Component {
  command: string[];
  /** Ends with 0 once the component answers. */
  ready: string[];
  /** Runs in the machine's own network namespace. */
  outside?: true;
}

const answers = (url: string) => ['curl', '-sfk', '-m', '2', '-o', '/dev/null', url];

const components = {
  /** The API and the registry on ports of the machine's 127.0.0.1. */
  expose: ({ folder }) => ({
    command: ['expose', '/proc/1/ns/net', `${folder}/api.port`, '127.0.0.1:6443', `${folder}/registry.port`, registry],
    ready: ['test', '-s', `${folder}/api.port`, '-a', '-s', `${folder}/registry.port`],
    outside: true,
  }),
  etcd: ({ folder }) => ({
    command: [
      ...['etcd', '--data-dir', `${folder}/etcd`, '--unsafe-no-fsync', '--log-level', 'warn'],
      ...['--listen-client-urls', 'http://127.0.0.1:2379', '--advertise-client-urls', 'http://127.0.0.1:2379'],
      ...['--listen-peer-urls', 'http://127.0.0.1:2380'],
    ],
    ready: answers('http://127.0.0.1:2379/health'),
  }),
  'kube-apiserver': (place) => ({ command: apiserver(place), ready: answers('https://127.0.0.1:6443/readyz') }),
  'kube-controller-manager': ({ folder }) => ({
    command: [
      ...client('kube-controller-manager', folder),
      ...['--service-account-private-key-file', `${folder}/pki/service-accounts.key`, '--root-ca-file', `${folder}/pki/ca.crt`],
      ...['--use-service-account-credentials', '--cluster-cidr', '10.88.0.0/16'],
      ...['--enable-hostpath-provisioner', '--node-monitor-period', '2s', '--node-monitor-grace-period', '20s'],
    ],
    ready: answers('https://127.0.0.1:10257/healthz'),
  }),
  'kube-scheduler': ({ folder }) => ({ command: client('kube-scheduler', folder), ready: answers('https://127.0.0.1:10259/healthz') }),
  registry: ({ folder }) => ({
    command: ['docker-registry', 'serve', `${folder}/etc/registry.yml`],
    ready: answers(`http://${registry}/v2/`),
  }),
  containerd: ({ folder }) => ({ command: ['containerd', '-c', `${folder}/etc/containerd.toml`], ready: ['ctr', 'version'] }),
  kubelet: ({ folder }) => ({
    command: [
      ...['kubelet', '--config', `${folder}/etc/kubelet.yaml`, '--kubeconfig', `${folder}/etc/kubelet.kubeconfig`],
      ...['--hostname-override', node.name, '--node-ip', node.address],
      ...['--root-dir', `${folder}/kubelet`, '--cert-dir', `${folder}/kubelet-pki`],
    ],
    ready: answers('http://127.0.0.1:10248/healthz'),
  }),
  /** Attaches networks to running Pods, and detaches them. */
  networks: ({ folder, networks }) => ({
    command: [networks, 'follow', `${folder}/etc/${networkConfiguration}`, node.name, `${folder}/run/networks.ready`],
    ready: ['test', '-e', `${folder}/run/networks.ready`],
  }),
  'kube-proxy': ({ folder }) => ({
    command: ['kube-proxy', '--config', `${folder}/etc/kube-proxy.yaml`],
    ready: answers('http://127.0.0.1:10256/livez'),
  }),
  'metrics-server': ({ folder }) => ({
    command: [
      ...['metrics-server', '--kubeconfig', admin(folder), '--authentication-kubeconfig', admin(folder)],
      ...['--authorization-kubeconfig', admin(folder), '--secure-port', '4443', '--cert-dir', '/run/metrics-server'],
      ...['--kubelet-insecure-tls', '--kubelet-preferred-address-types', 'InternalIP'],
      ...['--metric-resolution', '10s', '--kubelet-request-timeout', '5s'],
    ],
    ready: answers('https://127.0.0.1:4443/livez'),
  }),
  /** Plays the nodes that bear its annotation. */
  kwok: ({ folder, kwok }) => ({
    command: [
      ...[kwok, '--kubeconfig', admin(folder), '--manage-all-nodes=false'],
      ...['--manage-nodes-with-annotation-selector', 'kwok.x-k8s.io/node=fake', '--node-ip', node.address, '--node-port', '10247'],
    ],
    ready: answers('http://127.0.0.1:10247/healthz'),
  }),
} satisfies Record<string, (place: ClusterPlace) => Component>;

/** A part of the cluster that can be started and killed by itself. */
export type ComponentName = keyof typeof components;

/** How the component is started in this cluster. */
export function componentOf(name: ComponentName, place: ClusterPlace): Component {
  return components[name](place);
}

const admin = (folder: string) => path.join(folder, 'etc/admin.kubeconfig');

/** A component of the control plane that is alone, and so elects no leader. */
function client(name: 'kube-controller-manager' | 'kube-scheduler', folder: string): string[] {
  const kubeconfig = `${folder}/etc/${name}.kubeconfig`;
  const login = ['--kubeconfig', kubeconfig, '--authentication-kubeconfig', kubeconfig, '--authorization-kubeconfig', kubeconfig];
  return [name, ...login, '--leader-elect=false'];
}

function apiserver({ folder, mode }: ClusterPlace): string[] {
  const pki = `${folder}/pki`;
  return [
    ...['kube-apiserver', '--etcd-servers', 'http://127.0.0.1:2379', '--advertise-address', node.address, '--secure-port', '6443'],
    ...['--tls-cert-file', `${pki}/kube-apiserver.crt`, '--tls-private-key-file', `${pki}/kube-apiserver.key`],
    ...['--client-ca-file', `${pki}/ca.crt`, '--token-auth-file', `${pki}/tokens.csv`],
    ...['--authorization-mode', 'Node,RBAC', '--enable-admission-plugins', 'NodeRestriction', '--allow-privileged'],
    // No controller makes service accounts there.
    ...(mode === 'control' ? ['--disable-admission-plugins', 'ServiceAccount'] : []),
    ...['--service-account-issuer', 'https://kubernetes.default.svc', '--service-account-key-file', `${pki}/service-accounts.key`],
    ...['--service-account-signing-key-file', `${pki}/service-accounts.key`, '--service-cluster-ip-range', '10.96.0.0/16'],
    ...['--kubelet-client-certificate', `${pki}/kubelet-client.crt`, '--kubelet-client-key', `${pki}/kubelet-client.key`],
    ...['--kubelet-preferred-address-types', 'InternalIP', '--feature-gates', 'PodLogsQuerySplitStreams=true', '--profiling=false'],
    // The aggregation that metrics.k8s.io is served by.
    ...['--requestheader-client-ca-file', `${pki}/ca.crt`, '--requestheader-allowed-names', 'front-proxy'],
    ...['--requestheader-username-headers', 'X-Remote-User', '--requestheader-group-headers', 'X-Remote-Group'],
    ...['--requestheader-extra-headers-prefix', 'X-Remote-Extra-', '--enable-aggregator-routing'],
    ...['--proxy-client-cert-file', `${pki}/front-proxy.crt`, '--proxy-client-key-file', `${pki}/front-proxy.key`],
  ];
}
