import type { Database, Queries } from '../../db/database.ts';
import { TransactionConflict } from '../../db/transaction-conflict.ts';
import { isUniqueViolation } from '../../db/unique-violation.ts';
import { conflict, volumeInUse, volumeNotFound } from '../../errors/catalogue.ts';
import { isUuidLike } from '../../rules/uuid-like.ts';
import type { BlockVolume, Volumes } from '../../volumes/volumes.ts';
import { orRefusal } from '../engine-refusal.ts';
import { stableUuid } from '../stable-uuid.ts';
import type { EngineVolume, EngineVolumes } from './engine-volumes.ts';

/** On volumes that Zun made: whose they are and how large they were asked for. */
export const volumeLabels = {
  project: 'org.openstack.zun.volume.project',
  user: 'org.openstack.zun.volume.user',
  size: 'org.openstack.zun.volume.size-gib',
} as const;

/**
 * Cinder's part in `standalone`: volumes are the engine's, and who holds one is in `openkeel_local_attachment`. A volume that Zun
 * made belongs to its project; one made with the engine's own tools belongs to whoever uses the machine and can be named by every
 * project. The engine does not hold a volume to its size.
 */
export class LocalVolumes implements Volumes {
  readonly #database: Database;
  readonly #engine: EngineVolumes;

  constructor(options: { database: Database; engine: EngineVolumes }) {
    this.#database = options.database;
    this.#engine = options.engine;
  }

  async find(ident: string, projectId: string): Promise<BlockVolume> {
    const owned = (await this.#list(projectId)).filter(
      ({ labels }) => !labels[volumeLabels.project] || labels[volumeLabels.project] === projectId,
    );
    const found = owned.filter((volume) => (isUuidLike(ident) && idOf(volume) === ident.toLowerCase()) || volume.name === ident);
    if (found.length > 1) throw conflict(`Multiple volumes exist with same name ${ident}. Please use the uuid instead.`);
    const [volume] = found;
    if (!volume) throw volumeNotFound(ident);
    return blockVolume(volume, await holderOf(this.#database.queries, idOf(volume)));
  }

  async create(request: { key: string; sizeGiB: number; projectId: string; userId: string }, signal?: AbortSignal): Promise<BlockVolume> {
    const labels = {
      [volumeLabels.project]: request.projectId,
      [volumeLabels.user]: request.userId,
      [volumeLabels.size]: String(request.sizeGiB),
    };
    const volume = { name: nameOf(request.key), labels };
    await orRefusal(this.#engine.create(volume, signal));
    return blockVolume(volume, await holderOf(this.#database.queries, idOf(volume)));
  }

  async findMade(key: string, projectId: string, signal?: AbortSignal): Promise<BlockVolume | null> {
    const made = (await this.#list(projectId, signal)).find(
      ({ name, labels }) => name === nameOf(key) && labels[volumeLabels.project] === projectId,
    );
    return made ? blockVolume(made, await holderOf(this.#database.queries, idOf(made))) : null;
  }

  async attach(
    volumeId: string,
    attachment: { containerUuid: string; projectId: string },
    signal?: AbortSignal,
  ): Promise<{ engineVolume: string }> {
    const volume = (await this.#list(attachment.projectId, signal)).find((candidate) => idOf(candidate) === volumeId);
    if (!volume) throw volumeNotFound(volumeId);
    await this.#database.transaction(async (transaction) => {
      const holder = await holderOf(transaction, volumeId);
      if (holder === attachment.containerUuid) return;
      if (holder !== null) throw volumeInUse(volumeId);
      const row = { volume_id: volumeId, container_uuid: attachment.containerUuid };
      try {
        await transaction.insertInto('openkeel_local_attachment').values(row).execute();
      } catch (error) {
        // Another was faster; the next look sees whose it is.
        throw isUniqueViolation(error) ? new TransactionConflict(error) : error;
      }
    });
    return { engineVolume: volume.name };
  }

  async detach(volumeId: string, containerUuid: string): Promise<void> {
    await this.#database.queries
      .deleteFrom('openkeel_local_attachment')
      .where('volume_id', '=', volumeId)
      .where('container_uuid', '=', containerUuid)
      .execute();
  }

  async delete(volumeId: string, projectId: string, signal?: AbortSignal): Promise<void> {
    if ((await holderOf(this.#database.queries, volumeId)) !== null) throw volumeInUse(volumeId);
    const volume =
      (await this.#own(volumeId, projectId)) ?? (await this.#list(projectId, signal)).find(({ name }) => idOf({ name }) === volumeId);
    if (volume) await orRefusal(this.#engine.remove(volume, signal));
  }

  /** One that Zun made for a container, by its row: a list that does not show it would have it left behind. */
  async #own(volumeId: string, projectId: string): Promise<EngineVolume | null> {
    const rows = await this.#database.queries.selectFrom('volume').select('uuid').where('cinder_volume_id', '=', volumeId).execute();
    const names = rows.map(({ uuid }) => nameOf(uuid ?? ''));
    const name = names.find((one) => idOf({ name: one }) === volumeId);
    return name === undefined ? null : { name, labels: { [volumeLabels.project]: projectId } };
  }

  #list(projectId: string, signal?: AbortSignal): Promise<EngineVolume[]> {
    return orRefusal(this.#engine.list(projectId, signal));
  }
}

/** Engines take letters, digits, `_`, `.` and `-`. */
const nameOf = (key: string): string => `zun-${key.replace(/[^a-zA-Z0-9_.-]/g, '-')}`;
/** An engine's volumes have nothing but their names. */
const idOf = ({ name }: Pick<EngineVolume, 'name'>): string => stableUuid(`volume ${name}`);

async function holderOf(queries: Queries, volumeId: string): Promise<string | null> {
  const row = await queries
    .selectFrom('openkeel_local_attachment')
    .select('container_uuid')
    .where('volume_id', '=', volumeId)
    .executeTakeFirst();
  return row?.container_uuid ?? null;
}

/** `sizeGiB` is 0 for a volume that Zun did not make: nobody said a size. */
function blockVolume(volume: EngineVolume, holder: string | null): BlockVolume {
  const sizeGiB = Number(volume.labels[volumeLabels.size] ?? 0);
  return { id: idOf(volume), name: volume.name, sizeGiB, status: holder === null ? 'available' : 'in-use' };
}
