import type { Cluster } from '../cluster/cluster.ts';

/** A network beside the Pod network: a bridge of the node, with addresses of its own. */
export interface TestNetwork {
  namespace: string;
  name: string;
  /** `10.70.0`: the first three numbers of its addresses. */
  prefix: string;
  /** What the node still holds of it: the addresses that are given out. */
  leases(): Promise<string[]>;
}

/** Above the addresses of the cluster itself (`10.88.0.0/16` to `10.99.0.1`). */
const lower = 100;
let made = 0;

/**
 * Makes a network in a namespace that is there. Its plugins choose addresses, and take one that is asked for. `name` is one on the whole
 * node: the addresses that are given out lie in a folder of that name.
 */
export async function makeTestNetwork(cluster: Cluster, namespace: string, name: string): Promise<TestNetwork> {
  const prefix = `10.${lower + (Number.parseInt(Buffer.from(name).toString('hex').slice(-6), 16) % 150)}.${made++ % 256}`;
  const config = {
    cniVersion: '0.4.0',
    type: 'bridge',
    bridge: `n-${name}`.slice(0, 15),
    capabilities: { ips: true, mac: true },
    ipam: { type: 'host-local', subnet: `${prefix}.0/24`, gateway: `${prefix}.1` },
  };
  await cluster.apply({
    apiVersion: 'k8s.cni.cncf.io/v1',
    kind: 'NetworkAttachmentDefinition',
    metadata: { name, namespace },
    spec: { config: JSON.stringify(config) },
  });
  return {
    namespace,
    name,
    prefix,
    async leases() {
      const { stdout } = await cluster.exec(['ls', `/var/lib/cni/networks/${name}`]);
      return stdout.split('\n').filter((file) => /^\d+\.\d+\.\d+\.\d+$/.test(file));
    },
  };
}
