import { volumeInUse, volumeNotFound, volumeNotUsable } from '../../src/errors/catalogue.ts';
import type { Volumes } from '../../src/volumes/volumes.ts';
import type { RecordedExchange, SeedVolume } from './record.ts';
import { partialPort } from './world.ts';

/** The Cinder of the probes as a port. Origin: zun/volume/cinder_api.py (search_volume, ensure_volume_usable). */
export function seedVolumes(volumes: SeedVolume[]): Volumes {
  return partialPort<Volumes>('volumes', {
    find: async (ident, projectId) => {
      const volume = volumes.find(({ id, name }) => id === ident || name === ident);
      if (!volume) throw volumeNotFound(ident);
      const owner = volume['os-vol-tenant-attr:tenant_id'];
      if (owner !== undefined && owner !== projectId) throw volumeNotUsable(volume.id);
      if (volume.attachments.length > 0 && !volume.multiattach) throw volumeInUse(volume.id);
      return { id: volume.id, name: volume.name, sizeGiB: 1, status: 'available' };
    },
  });
}

/** The Cinder of an exchange: what its mocked search returned. */
export function mockedVolumes({ mocks }: Pick<RecordedExchange, 'mocks'>): Volumes {
  return partialPort<Volumes>('volumes', {
    find: async (ident) => {
      const mock = mocks.find(({ name, args }) => name.endsWith('.search_volume') && args.includes(ident));
      const { attrs } = (mock?.returns ?? {}) as { attrs?: { id?: string } };
      return { id: attrs?.id ?? ident, name: ident, sizeGiB: 1, status: 'available' };
    },
  });
}
