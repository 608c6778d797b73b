/**
 * The port to the images a node holds and the registries it pulls from. Errors are `RuntimeFault`:
 * `not-found` with the registry's words when the image does not exist, `denied` when the login is refused,
 * `unreachable` when the registry does not answer.
 */
export interface ImageStore {
  /** The store of one node, where this one stands for many. */
  on?(host: string): ImageStore;
  /** `null` when the store does not hold it. `reference` is `repo:tag`, `repo@digest` or an id. */
  find(reference: string, signal?: AbortSignal): Promise<StoredImage | null>;
  /** Pulls `repository:tag` (or `repository@sha256:…` when the tag is a digest) and answers what is stored then. */
  pull(repository: string, tag: string, credentials: RegistryCredentials | null, signal?: AbortSignal): Promise<StoredImage>;
  /** Takes the images of a docker-archive tar (`docker save`) into the store, under the names in it. */
  load(archive: Buffer, signal?: AbortSignal): Promise<void>;
  list(signal?: AbortSignal): Promise<StoredImage[]>;
  /** Searches the engine's registries, or the one named in the term, by name. */
  search(term: string, exactMatch: boolean, signal?: AbortSignal): Promise<ImageSearchHit[]>;
  /** Removes a reference; removing what is gone succeeds; `conflict` when a workload uses it. */
  remove(reference: string, signal?: AbortSignal): Promise<void>;
}

export interface StoredImage {
  /** `sha256:…`. */
  id: string;
  references: string[];
  sizeBytes: number;
}

export interface RegistryCredentials {
  username: string;
  password: string;
}

export interface ImageSearchHit {
  name: string;
  description: string;
  isOfficial: boolean;
  isAutomated: boolean;
  starCount: number;
}
