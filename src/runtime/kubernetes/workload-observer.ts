import type { Clock } from '../../telemetry/clock.ts';
import type { WorkloadObservation } from '../container-runtime.ts';
import type { KubeClient } from './client/kube-client.ts';
import { kubePaths } from './client/kube-paths.ts';
import { listMapped } from './client/list-mapped.ts';
import { endInPlace } from './end-in-place.ts';
import { annotations, type KubePod, type KubeSecret, labels } from './kube-object.ts';
import type { KubernetesSettings } from './kubernetes-settings.ts';
import { isLeftoverPuller, removeLeftoverPullers } from './leftover-pullers.ts';
import type { NodeAccess } from './node/node-access.ts';
import { PodlessRecords } from './podless-records.ts';
import type { ProjectNamespaces } from './project-namespaces.ts';
import { removeWorkload } from './remove-workload.ts';
import { endedAndUnwanted } from './state/ended-and-unwanted.ts';
import { exceededRetries } from './state/exceeded-retries.ts';
import { podObservations } from './state/pod-observations.ts';
import { recordObservations } from './state/record-observations.ts';
import type { WorkloadPlace } from './workload-place.ts';
import type { WorkloadPlaces } from './workload-places.ts';
import type { WorkloadPods } from './workload-pods.ts';
import type { WorkloadRecords } from './workload-records.ts';

export interface ObserverParts {
  client: KubeClient;
  clock: Clock;
  settings: KubernetesSettings;
  namespaces: ProjectNamespaces;
  records: WorkloadRecords;
  pods: WorkloadPods;
  places: WorkloadPlaces;
  nodeAccess: NodeAccess | null;
}

/**
 * Says how workloads are. A Pod tells of itself; where there is none, its record does. What Kubernetes does not do by itself is done at a
 * look: a Pod that has been run again often enough is ended, what was to go when it ends goes, and so does what a worker that died has left
 * of a pull.
 */
export class WorkloadObserver {
  readonly #parts: ObserverParts;
  readonly #podless: PodlessRecords;

  constructor(parts: ObserverParts) {
    this.#parts = parts;
    this.#podless = new PodlessRecords((place, signal) => parts.records.find(place, signal));
  }

  async inspect(uuid: string, signal?: AbortSignal): Promise<WorkloadObservation | null> {
    const { places, pods, records } = this.#parts;
    const place = await places.find(uuid, signal);
    if (!place) return null;
    const pod = await pods.find(place, signal);
    if (pod && (await this.#attend(place, pod, signal)) === 'gone') return null;
    const observations = pod ? this.observationsOf([pod]) : this.#ofRecord(await records.find(place, signal));
    return observations.find((observation) => observation.uuid === uuid) ?? null;
  }

  /**
   * Everything, from one list of Pods and one of records for each namespace, of which only the metadata is asked for. Of a Pod no more is kept than
   * it says. Of a namespace whose records can't be read there are the Pods: who misses something asks for it by name, and is told why.
   */
  async list(signal?: AbortSignal): Promise<WorkloadObservation[]> {
    const { client, settings, clock, namespaces, records } = this.#parts;
    const query = { labelSelector: `${labels.instance}=${settings.instance},${labels.kind}` };
    const isLeftover = (object: KubePod | KubeSecret) => isLeftoverPuller(object, settings.pullDeadlineSeconds, clock.now());
    const pods = await listMapped(client, { path: kubePaths.pods(), query, signal }, (pod: KubePod) => [
      { key: keyOf(pod), observations: this.observationsOf([pod]), leftover: isLeftover(pod) ? pod : null },
    ]);
    const withPod = new Set(pods.items.map(({ key }) => key));
    const all = await namespaces.list(signal);
    await namespaces.bindRoles(all, signal);
    const isWanted = (secret: KubeSecret) => (isRecord(secret) ? !withPod.has(keyOf(secret)) : isLeftover(secret));
    const { items: secrets } = await records.heads(all, labels.kind, (secret) => (isWanted(secret) ? [secret] : []), signal);
    const leftovers = {
      pods: pods.items.flatMap(({ leftover }) => leftover ?? []),
      secrets: secrets.filter((each) => !isRecord(each)),
    };
    await removeLeftoverPullers(client, leftovers, signal);
    const ofPods = pods.items.flatMap(({ observations }) => observations);
    return [...ofPods, ...(await this.#podless.observations(secrets.filter(isRecord), signal))];
  }

  observationsOf(pods: KubePod[]): WorkloadObservation[] {
    return pods.flatMap((pod) => podObservations(pod, this.#parts.clock.now()));
  }

  #ofRecord(record: KubeSecret | null): WorkloadObservation[] {
    return record ? recordObservations(record, this.#parts.records.specOf(record)) : [];
  }

  async #attend(place: WorkloadPlace, pod: KubePod, signal?: AbortSignal): Promise<'stays' | 'gone'> {
    if (exceededRetries(pod)) await endInPlace(this.#parts, place, signal);
    if (!endedAndUnwanted(pod) || pod.metadata?.annotations?.[annotations.paused] === 'true') return 'stays';
    await removeWorkload(this.#parts, place, signal);
    return 'gone';
  }
}

/** A puller's login has no workload. */
const isRecord = ({ metadata }: KubeSecret): boolean => metadata?.labels?.[labels.workload] !== undefined;

const keyOf = ({ metadata }: KubePod | KubeSecret): string => `${metadata?.namespace}/${metadata?.name}`;
