import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { node, registry } from './cluster-facts.ts';
import { networkConfiguration, networkPlugins } from './network-plugins.ts';

/** Writes what a node's components are configured by into the folder's `etc`. */
export async function writeConfiguration(folder: string): Promise<void> {
  const files: Record<string, string> = {
    'containerd.toml': containerd(folder),
    [networkConfiguration]: JSON.stringify(cni(folder)),
    // JSON is YAML.
    'registry.yml': JSON.stringify(dockerRegistry(folder)),
    'kubelet.yaml': JSON.stringify(kubelet(folder)),
    'kube-proxy.yaml': JSON.stringify(kubeProxy(folder)),
    'resolv.conf': 'nameserver 127.0.0.1\n',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, 'etc', name), text);
}

/** Debian's runsc has no shim for containerd, so runc's shim calls it by way of `runsc.sh`. */
const containerd = (folder: string) => `
version = 2
root = "${folder}/containerd"
state = "${folder}/run/containerd"
[grpc]
  address = "/run/containerd/containerd.sock"
[plugins."io.containerd.internal.v1.opt"]
  path = "${folder}/containerd/opt"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${registry}/pause:1"
  stream_server_address = "127.0.0.1"
  restrict_oom_score_adj = true  # for a root without CAP_SYS_RESOURCE
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${networkPlugins(folder)}"
    conf_dir = "${folder}/etc/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    default_runtime_name = "runc"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runsc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runsc.options]
      BinaryName = "${path.join(import.meta.dirname, 'runsc.sh')}"
      Root = "${folder}/run/runsc"
`;

/** The plugin `networks` puts Pods on the cluster's own network and on those that they ask for. */
const cni = (folder: string) => ({
  cniVersion: '0.4.0',
  name: 'pods',
  plugins: [
    {
      type: 'networks',
      capabilities: { portMappings: true },
      server: 'https://127.0.0.1:6443',
      certificates: path.join(folder, 'pki'),
      programs: networkPlugins(folder),
      state: path.join(folder, 'run/networks'),
      cluster: podNetwork(folder),
    },
  ],
});

const podNetwork = (folder: string) => ({
  cniVersion: '0.4.0',
  name: 'pods',
  plugins: [
    {
      type: 'bridge',
      bridge: 'cni0',
      isGateway: true,
      hairpinMode: true,
      ipam: {
        type: 'host-local',
        ranges: [[{ subnet: '10.88.0.0/16' }]],
        routes: [{ dst: '0.0.0.0/0' }],
        dataDir: path.join(folder, 'run/cni'),
      },
    },
    { type: 'portmap', capabilities: { portMappings: true } },
  ],
});

const dockerRegistry = (folder: string) => ({
  version: '0.1',
  log: { level: 'warn', accesslog: { disabled: true } },
  storage: { filesystem: { rootdirectory: path.join(folder, 'registry') }, delete: { enabled: true } },
  http: { addr: registry },
});

/** No thresholds: the machine's disk and memory are no business of the tests, and a Pod must not be evicted for them. */
const kubelet = (folder: string) => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
  cgroupDriver: 'cgroupfs',
  failCgroupV1: false,
  failSwapOn: false,
  oomScoreAdj: 0,
  featureGates: { PodLogsQuerySplitStreams: true },
  authentication: {
    anonymous: { enabled: false },
    webhook: { enabled: true },
    x509: { clientCAFile: path.join(folder, 'pki/ca.crt') },
  },
  authorization: { mode: 'Webhook' },
  clusterDomain: 'cluster.local',
  clusterDNS: ['10.96.0.10'],
  resolvConf: path.join(folder, 'etc/resolv.conf'),
  podLogsDir: path.join(folder, 'logs-of-pods'),
  volumePluginDir: path.join(folder, 'volume-plugins'),
  imageGCHighThresholdPercent: 100,
  evictionHard: { 'memory.available': '0%', 'nodefs.available': '0%', 'nodefs.inodesFree': '0%', 'imagefs.available': '0%' },
  // A dead kubelet is noticed after the controller's grace period (20 s), not after the default of 50 s.
  nodeStatusUpdateFrequency: '4s',
  nodeLeaseDurationSeconds: 16,
});

const kubeProxy = (folder: string) => ({
  apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
  kind: 'KubeProxyConfiguration',
  mode: 'iptables',
  clusterCIDR: '10.88.0.0/16',
  hostnameOverride: node.name,
  // The machine's own limits stay as they are.
  conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
  clientConnection: { kubeconfig: path.join(folder, 'etc/kube-proxy.kubeconfig') },
});
