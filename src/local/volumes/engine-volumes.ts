/** The engine's side of the embedded volumes. Errors are `RuntimeFault`s. */
export interface EngineVolumes {
  /** Those that the project may have, and maybe others: their labels tell. */
  list(projectId: string, signal?: AbortSignal): Promise<EngineVolume[]>;
  /** One that exists by that name is left as it is. */
  create(volume: EngineVolume, signal?: AbortSignal): Promise<void>;
  /** Removing what is gone succeeds; `conflict` while an engine container has it. */
  remove(volume: EngineVolume, signal?: AbortSignal): Promise<void>;
}

export interface EngineVolume {
  name: string;
  labels: Record<string, string>;
}
