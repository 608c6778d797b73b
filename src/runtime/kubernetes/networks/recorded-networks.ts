import type { NetworkInterface } from '../../container-runtime.ts';
import { RuntimeFault } from '../../runtime-fault.ts';
import { clusterNetwork } from '../pod/cluster-network.ts';
import type { RecordedSpec } from '../pod/workload-record.ts';

/** A container that was made without networks is on the cluster's own all the same, and stays on it when others come. */
const implied: NetworkInterface = { engineNetwork: clusterNetwork, ipv4: null, ipv6: null, mac: null };

/** What the next start runs, with one more network; `null` = it has it. `at`: its place among them, else the last. Pure. */
export function withNetwork(recorded: RecordedSpec, wanted: NetworkInterface, at?: number): RecordedSpec | null {
  const networks = recordedNetworks(recorded);
  if (networks.some(({ engineNetwork }) => engineNetwork === wanted.engineNetwork)) return null;
  const others = networks.length === 0 && wanted.engineNetwork !== clusterNetwork ? [implied] : networks;
  return networked(recorded, others.toSpliced(at ?? others.length, 0, wanted));
}

/** What the next start runs, without the network; `null` = it is without it. Pure. */
export function withoutNetwork(recorded: RecordedSpec, engineNetwork: string): RecordedSpec | null {
  const networks = recordedNetworks(recorded);
  const rest = networks.filter((network) => network.engineNetwork !== engineNetwork);
  return rest.length === networks.length ? null : networked(recorded, rest);
}

/** Fault `unsupported` of a capsule, whose networks are those that it was made with. Pure. */
export function recordedNetworks(recorded: RecordedSpec): NetworkInterface[] {
  if (recorded.kind === 'capsule') throw new RuntimeFault('unsupported', 'The networks of a capsule do not change.');
  return recorded.spec.networks;
}

function networked(recorded: RecordedSpec, networks: NetworkInterface[]): RecordedSpec {
  return recorded.kind === 'container' ? { kind: 'container', spec: { ...recorded.spec, networks } } : recorded;
}
