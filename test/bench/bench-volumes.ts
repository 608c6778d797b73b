import { volumeNotFound } from '../../src/errors/catalogue.ts';
import { stableUuid } from '../../src/local/stable-uuid.ts';
import type { BlockVolume, Volumes } from '../../src/volumes/volumes.ts';

/** Volumes by name only: enough for containers that have them. */
export class BenchVolumes implements Volumes {
  readonly volumes = new Map<string, BlockVolume>();
  readonly attachments = new Map<string, string>();

  async find(ident: string): Promise<BlockVolume> {
    const volume = this.volumes.get(ident);
    if (!volume) throw volumeNotFound(ident);
    return volume;
  }

  async create({ key, sizeGiB }: { key: string; sizeGiB: number }): Promise<BlockVolume> {
    const id = volumeId(key);
    const volume = this.volumes.get(id) ?? { id, name: id, sizeGiB, status: 'available' as const };
    this.volumes.set(id, volume);
    return volume;
  }

  async findMade(key: string): Promise<BlockVolume | null> {
    return this.volumes.get(volumeId(key)) ?? null;
  }

  async attach(volumeId: string, { containerUuid }: { containerUuid: string }): Promise<{ engineVolume: string }> {
    await this.find(volumeId);
    this.attachments.set(volumeId, containerUuid);
    return { engineVolume: volumeId };
  }

  async detach(volumeId: string): Promise<void> {
    this.attachments.delete(volumeId);
  }

  async delete(volumeId: string): Promise<void> {
    this.volumes.delete(volumeId);
  }
}

/** As long as a real one: databases other than SQLite refuse what is longer. */
const volumeId = (key: string): string => stableUuid(`volume ${key}`);
