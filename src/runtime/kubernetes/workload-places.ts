import { RuntimeFault } from '../runtime-fault.ts';
import type { KubeClient } from './client/kube-client.ts';
import { kubePaths } from './client/kube-paths.ts';
import { listObjects } from './client/list-objects.ts';
import { type KubeSecret, labels, mainContainer, memberLabel, workloadName } from './kube-object.ts';
import { projectNamespace } from './pod/project-namespace.ts';
import type { WorkloadPlace } from './workload-place.ts';

/** What the caller knows of a workload: `capsule` is the UUID of the capsule that it is (its own) or belongs to. */
export type OwnerOf = (uuid: string) => Promise<{ projectId: string; capsule: string | null } | null>;

/** As many places are remembered; they never change, and finding one again costs a query. */
const remembered = 50_000;
/** Asks for the metadata of objects alone. */
export const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/** Finds namespace and Pod of a workload by its UUID: from memory, from the caller's rows, or else by a label among the records. */
export class WorkloadPlaces {
  readonly #client: KubeClient;
  readonly #settings: { instance: string; namespacePrefix: string };
  readonly #ownerOf: OwnerOf;
  readonly #known = new Map<string, WorkloadPlace>();

  constructor(client: KubeClient, settings: { instance: string; namespacePrefix: string }, ownerOf: OwnerOf) {
    this.#client = client;
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
    for (const selector of [`${labels.workload}=${uuid},${labels.kind}`, memberLabel(uuid)]) {
      const { items } = await listObjects<KubeSecret>(
        this.#client,
        kubePaths.secrets(),
        { labelSelector: `${labels.instance}=${this.#settings.instance},${selector}` },
        signal,
        metadataOnly,
      );
      const { metadata } = items[0] ?? {};
      const owner = metadata?.labels?.[labels.workload];
      if (!metadata?.namespace || owner === undefined) continue;
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

/** As Docker says it. */
export const noSuchWorkload = (uuid: string): RuntimeFault => new RuntimeFault('not-found', `No such container: ${workloadName(uuid)}`);
