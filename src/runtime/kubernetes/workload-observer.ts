import type { Clock } from '../../telemetry/clock.ts';
import type { WorkloadObservation } from '../container-runtime.ts';
import { endInPlace } from './end-in-place.ts';
import { endedAndUnwanted } from './ended-and-unwanted.ts';
import { exceededRetries } from './exceeded-retries.ts';
import type { KubeClient } from './kube-client.ts';
import { annotations, type KubePod, type KubeSecret, labels } from './kube-object.ts';
import { kubePaths } from './kube-paths.ts';
import type { KubernetesSettings } from './kubernetes-settings.ts';
import { listObjects } from './list-objects.ts';
import type { NodeAccess } from './node-access.ts';
import { podObservations } from './pod-observations.ts';
import { recordObservations } from './record-observations.ts';
import { removeWorkload } from './remove-workload.ts';
import type { WorkloadPlace } from './workload-place.ts';
import { metadataOnly, type WorkloadPlaces } from './workload-places.ts';
import type { WorkloadPods } from './workload-pods.ts';
import type { WorkloadRecords } from './workload-records.ts';

export interface ObserverParts {
  client: KubeClient;
  clock: Clock;
  settings: KubernetesSettings;
  records: WorkloadRecords;
  pods: WorkloadPods;
  places: WorkloadPlaces;
  nodeAccess: NodeAccess | null;
}

/**
 * Says how workloads are. A Pod tells of itself; where there is none, its record does. What Kubernetes does not do by itself is done at a
 * look: a Pod that has been run again often enough is ended, and what was to go when it ends goes.
 */
export class WorkloadObserver {
  readonly #parts: ObserverParts;

  constructor(parts: ObserverParts) {
    this.#parts = parts;
  }

  async inspect(uuid: string, signal?: AbortSignal): Promise<WorkloadObservation | null> {
    const { places, pods, records } = this.#parts;
    const place = await places.find(uuid, signal);
    if (!place) return null;
    const pod = await pods.find(place, signal);
    if (pod && (await this.#attend(place, pod, signal)) === 'gone') return null;
    const observations = pod ? this.observationsOf([pod]) : await this.#ofRecord(await records.find(place, signal));
    return observations.find((observation) => observation.uuid === uuid) ?? null;
  }

  /** Everything, from one list of Pods and one of records, of which only the metadata is asked for. */
  async list(signal?: AbortSignal): Promise<WorkloadObservation[]> {
    const { client, settings } = this.#parts;
    const labelSelector = `${labels.instance}=${settings.instance},${labels.workload},${labels.kind}`;
    const pods = await listObjects<KubePod>(client, kubePaths.pods(), { labelSelector }, signal);
    const records = await listObjects<KubeSecret>(client, kubePaths.secrets(), { labelSelector }, signal, metadataOnly);
    const withPod = new Set(pods.items.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`));
    const alone = records.items.filter(({ metadata }) => !withPod.has(`${metadata?.namespace}/${metadata?.name}`));
    const ofRecords = await Promise.all(alone.map((record) => this.#ofRecord(record, signal)));
    return [...this.observationsOf(pods.items), ...ofRecords.flat()];
  }

  observationsOf(pods: KubePod[]): WorkloadObservation[] {
    return pods.flatMap((pod) => podObservations(pod, this.#parts.clock.now()));
  }

  /** A record that has its data is not asked for again. */
  async #ofRecord(record: KubeSecret | null, signal?: AbortSignal): Promise<WorkloadObservation[]> {
    if (!record) return [];
    if (record.data) return recordObservations(record, this.#parts.records.specOf(record));
    const { namespace = '', name = '', labels: own = {} } = record.metadata ?? {};
    const uuid = own[labels.workload] ?? '';
    const whole = await this.#parts.records.find({ uuid, namespace, owner: uuid, name, container: null }, signal);
    return whole ? recordObservations(whole, this.#parts.records.specOf(whole)) : [];
  }

  async #attend(place: WorkloadPlace, pod: KubePod, signal?: AbortSignal): Promise<'stays' | 'gone'> {
    if (exceededRetries(pod)) await endInPlace(this.#parts, place, signal);
    if (!endedAndUnwanted(pod) || pod.metadata?.annotations?.[annotations.paused] === 'true') return 'stays';
    await removeWorkload(this.#parts, place, signal);
    return 'gone';
  }
}
