import type { V1Node } from '@kubernetes/client-node';
import type { Clock } from '../../telemetry/clock.ts';
import type { Console, ConsoleTarget } from '../console.ts';
import type {
  CapsuleRuntime,
  CapsuleSpec,
  ContainerRuntime,
  ExecResult,
  LogOptions,
  NetworkInterface,
  NodeFacts,
  PathStat,
  ProcessTable,
  RuntimeEvent,
  StreamHappening,
  WorkloadObservation,
  WorkloadSpec,
  WorkloadStats,
} from '../container-runtime.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import type { KubeClient } from './client/kube-client.ts';
import { kubeFault } from './client/kube-fault.ts';
import { kubePaths } from './client/kube-paths.ts';
import { listObjects } from './client/list-objects.ts';
import { commitWorkload } from './commit-workload.ts';
import type { EndingParts } from './ending-parts.ts';
import { podStats } from './figures/pod-stats.ts';
import { holdWorkload } from './hold-workload.ts';
import { killWorkload } from './kill-workload.ts';
import { type KubePod, labels } from './kube-object.ts';
import type { KubernetesSettings } from './kubernetes-settings.ts';
import { attachNetwork, type NetworkParts } from './networks/attach-network.ts';
import { detachNetwork } from './networks/detach-network.ts';
import { NetworkDefinitions } from './networks/network-definitions.ts';
import type { NodeAccess } from './node/node-access.ts';
import { withoutNodeAccess } from './node/without-node-access.ts';
import type { RecordedSpec } from './pod/workload-record.ts';
import { podEvents } from './pod-events.ts';
import type { ProjectNamespaces } from './project-namespaces.ts';
import { removeWorkload } from './remove-workload.ts';
import { resizeWorkload } from './resize-workload.ts';
import { requireRunning, runInWorkload } from './run-in-workload.ts';
import { startWorkload } from './start-workload.ts';
import { clusterFacts } from './state/cluster-facts.ts';
import { clusterNodeFacts } from './state/cluster-node-facts.ts';
import { stopWorkload } from './stop-workload.ts';
import { withFiles } from './with-files.ts';
import { getWorkloadArchive, putWorkloadArchive } from './workload-archive.ts';
import { openWorkloadConsole } from './workload-console.ts';
import { workloadLogs } from './workload-logs.ts';
import { WorkloadObserver } from './workload-observer.ts';
import type { WorkloadPlace } from './workload-place.ts';
import { type OwnerOf, WorkloadPlaces } from './workload-places.ts';
import { WorkloadPods } from './workload-pods.ts';
import { WorkloadRecords } from './workload-records.ts';
import { workloadTop } from './workload-top.ts';

export interface KubernetesRuntimeOptions {
  client: KubeClient;
  settings: KubernetesSettings;
  clock: Clock;
  /** `null` where the operator gave the node agents no access to containerd. */
  nodeAccess: NodeAccess | null;
  namespaces: ProjectNamespaces;
  /** What the caller's rows say of a workload; answers `null` for what they do not hold. */
  ownerOf: OwnerOf;
  /** The node that `describeNode` tells of; `null` = all of them, added up. */
  node: string | null;
}

/** For calls that nobody ends early. */
const never = new AbortController().signal;

/** `ContainerRuntime` on Kubernetes from 1.33: workloads are Pods. See `docs/decisions/kubernetes-workloads.md`. */
export class KubernetesRuntime implements ContainerRuntime {
  readonly name = 'kubernetes';
  readonly runsHealthchecks = true;
  readonly spansHosts = true;
  readonly pullsAtStart = true;
  readonly capsules: CapsuleRuntime;
  readonly refuses: NonNullable<ContainerRuntime['refuses']>;
  readonly #options: KubernetesRuntimeOptions;
  readonly #places: WorkloadPlaces;
  readonly #parts: EndingParts;
  readonly #networks: NetworkParts;
  readonly #observer: WorkloadObserver;

  constructor(options: KubernetesRuntimeOptions) {
    const { client, settings, clock, nodeAccess, namespaces } = options;
    this.#options = options;
    const records = new WorkloadRecords(client, settings, namespaces);
    const pods = new WorkloadPods(client, clock);
    this.#places = new WorkloadPlaces({ namespaces, records }, settings, options.ownerOf);
    this.#parts = { records, pods, settings, clock, nodeAccess, run: runInWorkload({ client, clock, pods, records }) };
    this.#observer = new WorkloadObserver({ client, clock, settings, namespaces, records, pods, places: this.#places, nodeAccess });
    this.#networks = { records, pods, definitions: new NetworkDefinitions(client), settings, clock, run: this.#parts.run };
    this.refuses = refusals(settings, nodeAccess);
    this.capsules = { create: (spec: CapsuleSpec) => this.#create({ kind: 'capsule', spec }) };
  }

  create(spec: WorkloadSpec): Promise<void> {
    if (spec.sandbox !== undefined) {
      return Promise.reject(new RuntimeFault('unsupported', 'A Pod takes no further containers: create the capsule as a whole.'));
    }
    return this.#create({ kind: 'container', spec });
  }

  /** The Pod that the watch told to run says how it is: nobody has to ask again. */
  start(uuid: string, signal?: AbortSignal, since: number | null = null): Promise<WorkloadObservation | null> {
    return this.#at(uuid, signal, async (place) => {
      const pod = await this.#start(place, since, signal);
      return pod && (this.#observer.observationsOf([pod]).find((observation) => observation.uuid === uuid) ?? null);
    });
  }

  stop(uuid: string, graceSeconds: number, signal?: AbortSignal): Promise<void> {
    return this.#at(uuid, signal, (place) => stopWorkload(this.#parts, place, graceSeconds, signal));
  }

  restart(uuid: string, graceSeconds: number, signal?: AbortSignal): Promise<void> {
    return this.#at(uuid, signal, async (place) => {
      await stopWorkload(this.#parts, place, graceSeconds, signal);
      await this.#start(place, null, signal);
    });
  }

  kill(uuid: string, signalName: string, signal?: AbortSignal): Promise<void> {
    return this.#at(uuid, signal, (place) => killWorkload(this.#parts, place, signalName, signal));
  }

  pause(uuid: string, signal?: AbortSignal): Promise<void> {
    return this.#at(uuid, signal, (place) => holdWorkload(this.#parts, place, true, signal));
  }

  unpause(uuid: string, signal?: AbortSignal): Promise<void> {
    return this.#at(uuid, signal, (place) => holdWorkload(this.#parts, place, false, signal));
  }

  async remove(uuid: string, signal?: AbortSignal): Promise<void> {
    const place = await this.#asFault(this.#places.find(uuid, signal), signal);
    if (!place) return;
    await this.#asFault(removeWorkload(this.#parts, place, signal), signal);
    this.#places.forget(uuid);
  }

  update(uuid: string, limits: { cpu?: number; memoryMiB?: number }, signal?: AbortSignal): Promise<void> {
    return this.#at(uuid, signal, (place) => resizeWorkload(this.#parts, place, limits, signal ?? never));
  }

  inspect(uuid: string, signal?: AbortSignal): Promise<WorkloadObservation | null> {
    return this.#asFault(this.#observer.inspect(uuid, signal), signal);
  }

  list(signal?: AbortSignal): Promise<WorkloadObservation[]> {
    return this.#asFault(this.#observer.list(signal), signal);
  }

  async *events(signal: AbortSignal, told?: (happening: StreamHappening) => void): AsyncGenerator<RuntimeEvent> {
    try {
      yield* podEvents(this.#options.client, this.#options.clock, this.#options.settings.instance, signal, told);
    } catch (error) {
      if (signal.aborted) return;
      throw kubeFault(error, signal);
    }
  }

  logs(uuid: string, options: LogOptions, signal?: AbortSignal): Promise<Buffer> {
    const parts = { ...this.#parts, client: this.#options.client, splitsStreams: this.#options.settings.splitsLogStreams };
    return this.#at(uuid, signal, (place) => workloadLogs(parts, place, options, signal));
  }

  exec(uuid: string, command: string[], deadlineMs: number, signal?: AbortSignal): Promise<ExecResult> {
    return this.#at(uuid, signal, async (place) => {
      const { output, exitCode } = await this.#parts.run(place, command, { deadlineMs, signal });
      return { output, exitCode };
    });
  }

  openConsole(uuid: string, target: ConsoleTarget, signal?: AbortSignal): Promise<Console> {
    const parts = { client: this.#options.client, pods: this.#parts.pods };
    return this.#at(uuid, signal, (place) => openWorkloadConsole(parts, place, target, signal));
  }

  top(uuid: string, psArgs: string | null, signal?: AbortSignal): Promise<ProcessTable> {
    return this.#at(uuid, signal, (place) => workloadTop(this.#parts.run, place, psArgs, signal));
  }

  stats(uuid: string, signal?: AbortSignal): Promise<WorkloadStats> {
    return this.#at(uuid, signal, async (place) => {
      const pod = await requireRunning(this.#parts, place, signal);
      return podStats({ client: this.#options.client, run: this.#parts.run }, place, pod, signal);
    });
  }

  getArchive(uuid: string, path: string, signal?: AbortSignal): Promise<{ tar: Buffer; stat: PathStat }> {
    return this.#at(uuid, signal, (place) =>
      withFiles(this.#parts, place, 'read', signal, (at) => getWorkloadArchive(this.#parts.run, at, path, signal)),
    );
  }

  putArchive(uuid: string, path: string, tar: Buffer, signal?: AbortSignal): Promise<void> {
    return this.#at(uuid, signal, (place) =>
      withFiles(this.#parts, place, 'write', signal, (at) => putWorkloadArchive(this.#parts.run, at, path, tar, signal)),
    );
  }

  commit(uuid: string, repository: string, tag: string, signal?: AbortSignal): Promise<{ imageId: string }> {
    return this.#at(uuid, signal, (place) => commitWorkload(this.#parts, place, repository, tag, signal));
  }

  connectNetwork(uuid: string, wanted: NetworkInterface, signal?: AbortSignal): Promise<void> {
    return this.#onNetworks(uuid, signal, (place) => attachNetwork(this.#networks, place, wanted, signal));
  }

  disconnectNetwork(uuid: string, engineNetwork: string, signal?: AbortSignal): Promise<void> {
    return this.#onNetworks(uuid, signal, (place) => detachNetwork(this.#networks, place, engineNetwork, signal));
  }

  /** Kubelets probe by themselves. */
  async probeHealth(): Promise<void> {}

  async describeNode(signal?: AbortSignal): Promise<NodeFacts> {
    const { client, settings, node } = this.#options;
    const runtimes = Object.keys(settings.runtimeClasses);
    const names = runtimes.length > 0 ? runtimes : [settings.defaultRuntimeClass ?? 'runc'];
    if (node === null) {
      const { items } = await this.#asFault(listObjects<V1Node>(client, kubePaths.nodes, {}, signal), signal);
      return clusterFacts(items.map((item) => clusterNodeFacts(item, names, [])));
    }
    const described = await this.#asFault(client.request<V1Node>({ method: 'GET', path: kubePaths.node(node), signal }), signal);
    const own = { labelSelector: `${labels.instance}=${settings.instance},${labels.workload}`, fieldSelector: `spec.nodeName=${node}` };
    const { items } = await this.#asFault(listObjects<KubePod>(client, kubePaths.pods(), own, signal), signal);
    return clusterNodeFacts(described, names, this.#observer.observationsOf(items));
  }

  #create(recorded: RecordedSpec): Promise<void> {
    const { spec, kind } = recorded;
    const place = this.#places.of(spec.uuid, spec.projectId, kind === 'capsule' ? spec.uuid : null);
    if (recorded.kind === 'capsule') {
      for (const member of [...recorded.spec.initContainers, ...recorded.spec.containers])
        this.#places.of(member.uuid, spec.projectId, spec.uuid);
    }
    return this.#asFault(this.#write(place, recorded));
  }

  async #write(place: WorkloadPlace, recorded: RecordedSpec): Promise<void> {
    const networks = await this.#networks.definitions.resolve(recorded.spec.networks, place.namespace);
    const resolved: RecordedSpec =
      recorded.kind === 'container'
        ? { kind: 'container', spec: { ...recorded.spec, networks } }
        : { kind: 'capsule', spec: { ...recorded.spec, networks } };
    await this.#parts.records.write(place, resolved);
  }

  #start(place: WorkloadPlace, since: number | null, signal?: AbortSignal): Promise<KubePod | null> {
    const { settings, clock, nodeAccess } = this.#options;
    const { records, pods } = this.#parts;
    return startWorkload({ records, pods, settings, clock, nodeAccess }, place, since, signal);
  }

  #onNetworks(uuid: string, signal: AbortSignal | undefined, call: (place: WorkloadPlace) => Promise<void>): Promise<void> {
    const refusal = this.refuses.network_attach;
    return this.#at(uuid, signal, (place) =>
      refusal === undefined ? call(place) : Promise.reject(new RuntimeFault('unsupported', refusal)),
    );
  }

  async #at<T>(uuid: string, signal: AbortSignal | undefined, call: (place: WorkloadPlace) => Promise<T>): Promise<T> {
    return this.#asFault(
      this.#places.get(uuid, signal).then((place) => call(place)),
      signal,
    );
  }

  async #asFault<T>(call: Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await call;
    } catch (error) {
      if (error === signal?.reason && signal?.aborted) throw error;
      throw kubeFault(error, signal);
    }
  }
}

function refusals({ networkNamespace }: KubernetesSettings, nodeAccess: NodeAccess | null): NonNullable<ContainerRuntime['refuses']> {
  const ofNetworks = networkNamespace === '' ? { network_attach: noNetworks, network_detach: noNetworks } : {};
  if (nodeAccess) return ofNetworks;
  const sentence = (operation: string) => withoutNodeAccess(operation).message;
  return { ...ofNetworks, pause: sentence('pause'), unpause: sentence('unpause'), commit: sentence('commit') };
}

const noNetworks =
  'The Pod network is the only one here: kubernetes.networkNamespace names no namespace whose NetworkAttachmentDefinitions are further networks.';
