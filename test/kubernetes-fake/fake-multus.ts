import { networkAnnotations } from '../../src/runtime/kubernetes/networks/network-annotations.ts';
import type { NetworkSelection } from '../../src/runtime/kubernetes/networks/network-selections.ts';
import type { NetworkStatus } from '../../src/runtime/kubernetes/networks/network-status.ts';
import type { FakeCluster, FakeThing } from './fake-cluster.ts';

/** The namespace of the definitions. */
export const networkNamespace = 'networks';

/**
 * Plays Multus on a fake cluster, and the controller that follows the annotation of Pods that run: both write the network-status, and
 * know networks by name and interface. The definitions are there from the beginning.
 */
export class FakeMultus {
  /** False: nobody follows the Pods that run. */
  follows = true;
  readonly #cluster: FakeCluster;
  #given = 1;

  constructor(cluster: FakeCluster, definitions: Record<string, object>) {
    this.#cluster = cluster;
    for (const [name, config] of Object.entries(definitions)) {
      const definition = { metadata: { name, namespace: networkNamespace }, spec: { config: JSON.stringify(config) } };
      const path = `/apis/k8s.cni.cncf.io/v1/namespaces/${networkNamespace}/network-attachment-definitions/${name}`;
      cluster.objects.set(path, definition as unknown as FakeThing);
    }
    cluster.annotationsOnNode = (pod) => this.#statusAnnotation(pod, []);
    cluster.kept = (path, object) => this.#follow(path, object);
  }

  #follow(path: string, pod: FakeThing): void {
    const status = pod.metadata?.annotations?.[networkAnnotations.status];
    if (!this.follows || !path.includes('/pods/') || status === undefined || pod.status?.phase !== 'Running') return;
    const annotations = this.#statusAnnotation(pod, JSON.parse(status) as NetworkStatus[]);
    if (annotations[networkAnnotations.status] !== status) this.#cluster.change(path, { metadata: { annotations } });
  }

  #statusAnnotation(pod: FakeThing, before: NetworkStatus[]): Record<string, string> {
    const { first = '[]', further = '[]' } = {
      first: pod.metadata?.annotations?.[networkAnnotations.first],
      further: pod.metadata?.annotations?.[networkAnnotations.further],
    };
    const [instead] = JSON.parse(first) as NetworkSelection[];
    const eth0 = instead ? { ...this.#attached(instead), interface: 'eth0' } : { name: 'pods', interface: 'eth0', ips: ['10.0.0.7'] };
    const others = (JSON.parse(further) as NetworkSelection[]).map(
      (selection) =>
        before.find((status) => status.name === nameOf(selection) && status.interface === selection.interface) ?? this.#attached(selection),
    );
    const statuses = [before.find((status) => status.default) ?? { ...eth0, default: true }, ...others];
    return { [networkAnnotations.status]: JSON.stringify(statuses) };
  }

  #attached(selection: NetworkSelection): NetworkStatus {
    const ips = selection.ips?.map((ip) => ip.replace(/\/.*/, '')) ?? [`10.5.0.${++this.#given}`];
    return { name: nameOf(selection), ips, ...(selection.interface === undefined ? {} : { interface: selection.interface }) };
  }
}

const nameOf = ({ namespace, name }: NetworkSelection): string => `${namespace}/${name}`;
