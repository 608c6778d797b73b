import { labels, mainContainer, memberLabel, workloadName } from './kube-object.ts';
import { projectNamespace } from './pod/project-namespace.ts';
import type { ProjectNamespaces } from './project-namespaces.ts';
import { noSuchWorkload, type WorkloadPlace } from './workload-place.ts';
import type { WorkloadRecords } from './workload-records.ts';

/** What the caller knows of a workload: `capsule` is the UUID of the capsule that it is (its own) or belongs to. */
export type OwnerOf = (uuid: string) => Promise<{ projectId: string; capsule: string | null } | null>;

/** As many places are remembered; they never change, and finding one again costs a query. */
const remembered = 50_000;

/** Finds namespace and Pod of a workload by its UUID: from memory, from the caller's rows, or else by a label among the records. */
export class WorkloadPlaces {
  readonly #parts: { namespaces: ProjectNamespaces; records: WorkloadRecords };
  readonly #settings: { namespacePrefix: string };
  readonly #ownerOf: OwnerOf;
  readonly #known = new Map<string, WorkloadPlace>();

  constructor(parts: { namespaces: ProjectNamespaces; records: WorkloadRecords }, settings: { namespacePrefix: string }, ownerOf: OwnerOf) {
    this.#parts = parts;
    this.#settings = settings;
    this.#ownerOf = ownerOf;
  }

  /** A place that is known from what is about to be made there. */
  of(uuid: string, projectId: string, capsule: string | null): WorkloadPlace {
    const owner = capsule ?? uuid;
    const container = capsule === null ? mainContainer : capsule === uuid ? null : workloadName(uuid);
    return this.#remember({
      uuid,
      namespace: projectNamespace(this.#settings.namespacePrefix, projectId),
      owner,
      name: workloadName(owner),
      container,
    });
  }

  /** `null` when nobody knows of such a workload. It may be gone from the place that is answered. */
  async find(uuid: string, signal?: AbortSignal): Promise<WorkloadPlace | null> {
    const known = this.#known.get(uuid);
    if (known) return known;
    const row = await this.#ownerOf(uuid);
    return row ? this.of(uuid, row.projectId, row.capsule) : this.#search(uuid, signal);
  }

  /** Fault `not-found` in the words of Docker, which clients know. */
  async get(uuid: string, signal?: AbortSignal): Promise<WorkloadPlace> {
    const place = await this.find(uuid, signal);
    if (!place) throw noSuchWorkload(uuid);
    return place;
  }

  forget(uuid: string): void {
    this.#known.delete(uuid);
  }

  async #search(uuid: string, signal?: AbortSignal): Promise<WorkloadPlace | null> {
    const { namespaces, records } = this.#parts;
    const all = await namespaces.list(signal);
    for (const selector of [`${labels.workload}=${uuid},${labels.kind}`, memberLabel(uuid)]) {
      const { items, refusal } = await records.heads(all, selector, (each) => [each], signal);
      const { metadata } = items[0] ?? {};
      const owner = metadata?.labels?.[labels.workload];
      if (!metadata?.namespace || owner === undefined) {
        // It may be where nobody could look.
        if (refusal) throw refusal;
        continue;
      }
      const isCapsule = metadata.labels?.[labels.kind] === 'capsule';
      const container = !isCapsule ? mainContainer : owner === uuid ? null : workloadName(uuid);
      return this.#remember({ uuid, namespace: metadata.namespace, owner, name: workloadName(owner), container });
    }
    return null;
  }

  #remember(place: WorkloadPlace): WorkloadPlace {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= remembered && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(place.uuid, place);
    return place;
  }
}
