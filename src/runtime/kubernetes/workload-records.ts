import { inParallel } from '../in-parallel.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import { createOnce } from './client/create-once.ts';
import type { KubeClient } from './client/kube-client.ts';
import { KubeError } from './client/kube-error.ts';
import { kubePaths } from './client/kube-paths.ts';
import { listMapped, metadataOnly } from './client/list-mapped.ts';
import { type KubePod, type KubeSecret, labels } from './kube-object.ts';
import type { KubernetesSettings } from './kubernetes-settings.ts';
import { ownedSecrets } from './pod/owned-secrets.ts';
import { podOfRecord } from './pod/pod-of-record.ts';
import { podSettings } from './pod/pod-settings.ts';
import { type RecordedSpec, recordedSpec, specData, workloadRecord } from './pod/workload-record.ts';
import type { ProjectNamespaces } from './project-namespaces.ts';
import { heldWords } from './state/held-words.ts';
import { noSuchWorkload, type WorkloadPlace } from './workload-place.ts';

const mergePatch = 'application/merge-patch+json';
/** So many namespaces are listed at a time. */
const atOnce = 8;

/** Records of workloads with the Secrets that they own, and the namespaces they are in. Every call may be repeated. */
export class WorkloadRecords {
  readonly #client: KubeClient;
  readonly #settings: KubernetesSettings;
  readonly #namespaces: ProjectNamespaces;

  constructor(client: KubeClient, settings: KubernetesSettings, namespaces: ProjectNamespaces) {
    this.#client = client;
    this.#settings = settings;
    this.#namespaces = namespaces;
  }

  /** Writes the record and what it owns; one that exists stays as it is. */
  async write(place: WorkloadPlace, recorded: RecordedSpec): Promise<void> {
    // Refuses what no Pod can be made of, before anything is made.
    this.podOf(place, recorded);
    const record = workloadRecord(recorded, this.#settings.instance);
    const make = () => createOnce<KubeSecret>(this.#client, kubePaths.secrets(place.namespace), record);
    const made = await this.#namespaces.within(place.namespace, recorded.spec.projectId, make);
    const written = made ?? (await this.#existing(place, recorded));
    const owner = {
      apiVersion: 'v1',
      kind: 'Secret',
      name: place.name,
      uid: written.metadata?.uid ?? '',
      blockOwnerDeletion: false,
    };
    await Promise.all(
      ownedSecrets(recorded.spec, podSettings(this.#settings, place.namespace)).map((secret) => {
        const metadata = { ...secret.metadata, ownerReferences: [owner] };
        return createOnce(this.#client, kubePaths.secrets(place.namespace), { ...secret, metadata });
      }),
    );
  }

  /** `null` when there is none. */
  async find({ namespace, name }: Pick<WorkloadPlace, 'namespace' | 'name'>, signal?: AbortSignal): Promise<KubeSecret | null> {
    try {
      return await this.#client.request<KubeSecret>({ method: 'GET', path: kubePaths.secret(namespace, name), signal });
    } catch (error) {
      if (error instanceof KubeError && error.status === 404) return null;
      throw error;
    }
  }

  /**
   * What is made of the Secrets that a label selects in these namespaces, with their metadata alone. A namespace that can't be read, because it
   * goes or the right is not there, keeps nobody from the others; `refusal` is then what was answered there, and what is missing may be in it.
   */
  async heads<R>(
    namespaces: readonly string[],
    selector: string,
    map: (head: KubeSecret) => R[],
    signal?: AbortSignal,
  ): Promise<{ items: R[]; refusal: KubeError | null }> {
    const query = { labelSelector: `${labels.instance}=${this.#settings.instance},${selector}` };
    let refusal: KubeError | null = null;
    const found = await inParallel(namespaces, atOnce, async (namespace) => {
      try {
        return (await listMapped(this.#client, { path: kubePaths.secrets(namespace), query, signal, accept: metadataOnly }, map)).items;
      } catch (error) {
        if (!(error instanceof KubeError && error.isRefusal)) throw error;
        refusal ??= error;
        return [];
      }
    });
    return { items: found.flat(), refusal };
  }

  /** Fault `not-found` when there is none. */
  async get(place: WorkloadPlace, signal?: AbortSignal): Promise<KubeSecret> {
    const record = await this.find(place, signal);
    if (!record) throw noRecord(place);
    return record;
  }

  /** Sets annotations, and removes those given as `null`; answers the record as it is then. */
  annotate(place: WorkloadPlace, annotations: Record<string, string | null>, signal?: AbortSignal): Promise<KubeSecret> {
    return this.#patch(place, { metadata: { annotations } }, signal);
  }

  /** Changes what the next start runs, as of the record's version, so that nobody else's change is lost; `null` = it is so already. */
  async revise(place: WorkloadPlace, change: (recorded: RecordedSpec) => RecordedSpec | null, signal?: AbortSignal): Promise<void> {
    for (;;) {
      const record = await this.get(place, signal);
      const changed = change(recordedSpec(record));
      if (!changed) return;
      const metadata = { resourceVersion: record.metadata?.resourceVersion };
      try {
        await this.#patch(place, { metadata, data: { spec: specData(changed) } }, signal);
        return;
      } catch (error) {
        if (!(error instanceof KubeError && error.status === 409)) throw error;
      }
    }
  }

  /** The Pod that the record stands for, owned by it. */
  podOf(place: WorkloadPlace, recorded: RecordedSpec, record?: KubeSecret): KubePod {
    return podOfRecord(recorded, record ?? null, podSettings(this.#settings, place.namespace));
  }

  specOf(record: KubeSecret): RecordedSpec {
    return recordedSpec(record);
  }

  /** Removes the record and everything that it owns. Fault `unreachable` while finalizers hold one of them. */
  async remove(place: WorkloadPlace, signal?: AbortSignal): Promise<void> {
    const removed = await this.#client.request<{ items?: KubeSecret[] }>({
      method: 'DELETE',
      path: kubePaths.secrets(place.namespace),
      query: { labelSelector: `${labels.workload}=${place.owner},${labels.instance}=${this.#settings.instance}` },
      signal,
    });
    // As they were just before: those without finalizers are gone.
    const held = removed.items?.find(({ metadata }) => (metadata?.finalizers?.length ?? 0) > 0);
    if (held) throw heldRecord(held);
  }

  async #existing(place: WorkloadPlace, { spec }: RecordedSpec): Promise<KubeSecret> {
    const record = await this.get(place);
    const { labels: own = {}, deletionTimestamp } = record.metadata ?? {};
    if (own[labels.workload] !== spec.uuid || own[labels.instance] !== this.#settings.instance)
      throw new RuntimeFault('conflict', `The Secret ${place.namespace}/${place.name} is in use and is not of this Zun.`);
    if (deletionTimestamp === undefined) return record;
    // The one before it, which would take the new workload along when it goes.
    throw heldRecord(record, '');
  }

  async #patch(place: WorkloadPlace, body: unknown, signal?: AbortSignal): Promise<KubeSecret> {
    const path = kubePaths.secret(place.namespace, place.name);
    try {
      return await this.#client.request({ method: 'PATCH', path, body, contentType: mergePatch, signal });
    } catch (error) {
      if (error instanceof KubeError && error.status === 404) throw noRecord(place);
      throw error;
    }
  }
}

/** Of a Secret that stays: who can do something about it. */
function heldRecord({ metadata }: KubeSecret, whatToDo?: string): RuntimeFault {
  const { namespace, name, finalizers = [] } = metadata ?? {};
  return new RuntimeFault('unreachable', heldWords(`The Secret ${namespace}/${name}`, finalizers, whatToDo));
}

/** In the words of Docker, which clients know, and what to do: it was never made, or somebody has removed it. */
function noRecord({ uuid, namespace, name }: WorkloadPlace): RuntimeFault {
  const { message } = noSuchWorkload(uuid);
  return new RuntimeFault(
    'not-found',
    `${message}. The Secret ${namespace}/${name}, its record, is not there: rebuild the container, or delete it.`,
  );
}
