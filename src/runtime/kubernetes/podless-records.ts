import type { WorkloadObservation } from '../container-runtime.ts';
import { inParallel } from '../in-parallel.ts';
import type { KubeSecret } from './kube-object.ts';
import { recordedSpec } from './pod/workload-record.ts';
import { recordObservations } from './state/record-observations.ts';

/** Reads a record; `null` when there is none. */
export type FindRecord = (place: { namespace: string; name: string }, signal?: AbortSignal) => Promise<KubeSecret | null>;

interface Known {
  resourceVersion: string | undefined;
  observations: WorkloadObservation[];
}

/** So many records are asked for at a time: a call for each of thousands would leave the other calls no connection. */
const atOnce = 8;

/** What the records of workloads without a Pod say. One that is as it was at the look before is not asked for again. */
export class PodlessRecords {
  readonly #find: FindRecord;
  /** Of the last look, by uid. */
  #known = new Map<string, Known>();

  constructor(find: FindRecord) {
    this.#find = find;
  }

  /** `heads`: all such records, with their metadata alone. */
  async observations(heads: KubeSecret[], signal?: AbortSignal): Promise<WorkloadObservation[]> {
    const looks = await inParallel(heads, atOnce, async (head) => [head.metadata?.uid ?? '', await this.#look(head, signal)] as const);
    this.#known = new Map(looks);
    return [...this.#known.values()].flatMap(({ observations }) => observations);
  }

  async #look({ metadata }: KubeSecret, signal?: AbortSignal): Promise<Known> {
    const { uid = '', resourceVersion, namespace = '', name = '' } = metadata ?? {};
    const known = this.#known.get(uid);
    if (known && known.resourceVersion === resourceVersion) return known;
    const record = await this.#find({ namespace, name }, signal);
    const observations = record ? recordObservations(record, recordedSpec(record)) : [];
    return { resourceVersion: record?.metadata?.resourceVersion, observations };
  }
}
