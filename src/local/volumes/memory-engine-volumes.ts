import type { EngineVolume, EngineVolumes } from './engine-volumes.ts';

/** Volumes that exist by name only; the memory runtime keeps their files by the same names. */
export class MemoryEngineVolumes implements EngineVolumes {
  readonly #volumes = new Map<string, EngineVolume>();

  async list(): Promise<EngineVolume[]> {
    return [...this.#volumes.values()];
  }

  async create(volume: EngineVolume): Promise<void> {
    if (!this.#volumes.has(volume.name)) this.#volumes.set(volume.name, volume);
  }

  async remove({ name }: EngineVolume): Promise<void> {
    this.#volumes.delete(name);
  }
}
