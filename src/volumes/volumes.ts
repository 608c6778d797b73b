/**
 * The port to block storage: Cinder, or the engine's volumes in `standalone`.
 * Errors are `ZunError`s from `errors/` with the original's texts.
 */
export interface Volumes {
  /** By id or name, within the project. `VolumeNotFound` (404); a name that matches several: `Conflict`. */
  find(ident: string, projectId: string): Promise<BlockVolume>;
  /** Idempotent by `key`. Returns when the volume is usable, or throws at the deadline (60 s by default). */
  create(request: { key: string; sizeGiB: number; projectId: string; userId: string }, signal?: AbortSignal): Promise<BlockVolume>;
  /** What `create` has made under this key, as after a crash its caller does not know; `null` when there is nothing. */
  findMade(key: string, projectId: string, signal?: AbortSignal): Promise<BlockVolume | null>;
  /** Idempotent. `VolumeInUse` when another container holds it. Answers the engine's name for the mount. */
  attach(
    volumeId: string,
    attachment: { containerUuid: string; host: string; projectId: string },
    signal?: AbortSignal,
  ): Promise<{ engineVolume: string }>;
  /** Idempotent; a missing volume counts as detached. */
  detach(volumeId: string, containerUuid: string, signal?: AbortSignal): Promise<void>;
  /** Idempotent; a volume that is missing in the project counts as deleted. */
  delete(volumeId: string, projectId: string, signal?: AbortSignal): Promise<void>;
}

export interface BlockVolume {
  id: string;
  name: string;
  sizeGiB: number;
  status: 'available' | 'in-use' | 'creating' | 'error';
}
