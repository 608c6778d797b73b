import type { Database, Queries } from '../../db/database.ts';
import type { Candidate, Claim, Inventory, NodeInventory, ResourceRequest } from '../../scheduling/inventory.ts';

interface Provider {
  uuid: string;
  hostname: string;
  inventory: NodeInventory;
}

type Amounts = Pick<ResourceRequest, 'vcpu' | 'memoryMb' | 'diskGb'>;

/**
 * Placement's part in `standalone`: claims are rows of `openkeel_local_allocation`, what a node has is what its agent last reported
 * in this process. As in Placement one claim can't exceed the node itself, and all together not the node times its ratio.
 * A node that is disabled stays a candidate: the scheduler's filters read that from `zun_service`, where it is never old.
 */
export class LocalInventory implements Inventory {
  readonly #database: Database;
  readonly #providers = new Map<string, Provider>();
  #orphans = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
  }

  async report(provider: Provider): Promise<void> {
    this.#providers.set(provider.uuid, provider);
  }

  async candidates(request: ResourceRequest): Promise<Candidate[]> {
    const found: Candidate[] = [];
    for (const provider of this.#providers.values()) {
      if (request.host !== null && request.host !== provider.hostname) continue;
      const used = await usedOf(this.#database.queries, provider.uuid, null);
      if (fits(provider.inventory, used, request)) found.push({ resourceProviderUuid: provider.uuid, resources: request });
    }
    return found;
  }

  async claim(consumer: string, candidate: Candidate): Promise<boolean> {
    return this.#database.transaction(async (transaction) => {
      if (await providerOfClaim(transaction, consumer)) return true;
      return this.#write(transaction, consumer, candidate.resourceProviderUuid, candidate.resources);
    });
  }

  /** A consumer that holds nothing (its claim was swept, or is older than this table) claims on the host it names. */
  async resize(consumer: string, request: ResourceRequest): Promise<boolean> {
    return this.#database.transaction(async (transaction) => {
      const named = [...this.#providers.values()].find((provider) => request.host === null || provider.hostname === request.host);
      const provider = (await providerOfClaim(transaction, consumer)) ?? named?.uuid;
      return provider !== undefined && this.#write(transaction, consumer, provider, request);
    });
  }

  async release(consumer: string): Promise<void> {
    await this.#database.queries.deleteFrom('openkeel_local_allocation').where('consumer', '=', consumer).execute();
  }

  async claimsOn(host: string): Promise<Claim[]> {
    const provider = [...this.#providers.values()].find(({ hostname }) => hostname === host);
    if (!provider) return [];
    const rows = await this.#database.queries
      .selectFrom('openkeel_local_allocation')
      .selectAll()
      .where('provider', '=', provider.uuid)
      .execute();
    return rows.map((row) => ({ consumer: row.consumer, vcpu: row.vcpu, memoryMb: row.memory_mb, diskGb: row.disk_gb }));
  }

  /**
   * Releases the claims of consumers that do not exist. A claim is made before its container's row is committed, so one is swept only
   * when it was an orphan at the sweep before as well; with `nothingInFlight` (at the start of the process) at once.
   * Answers the consumers released.
   */
  async releaseOrphans(consumers: ReadonlySet<string>, nothingInFlight = false): Promise<string[]> {
    const rows = await this.#database.queries.selectFrom('openkeel_local_allocation').select('consumer').execute();
    const orphans = rows.map((row) => row.consumer).filter((consumer) => !consumers.has(consumer));
    const released = orphans.filter((consumer) => nothingInFlight || this.#orphans.has(consumer));
    for (const consumer of released) await this.release(consumer);
    this.#orphans = new Set(orphans);
    return released;
  }

  async #write(transaction: Queries, consumer: string, provider: string, { vcpu, memoryMb, diskGb }: Amounts): Promise<boolean> {
    const inventory = this.#providers.get(provider)?.inventory;
    // The node's row is locked until the end, so that no two claims count the same room (SQLite has one writer anyway).
    await transaction
      .updateTable('compute_node')
      .set(({ ref }) => ({ rp_uuid: ref('rp_uuid') }))
      .where('rp_uuid', '=', provider)
      .execute();
    if (!inventory || !fits(inventory, await usedOf(transaction, provider, consumer), { vcpu, memoryMb, diskGb })) return false;
    const amounts = { vcpu, memory_mb: memoryMb, disk_gb: diskGb };
    await transaction.deleteFrom('openkeel_local_allocation').where('consumer', '=', consumer).execute();
    await transaction
      .insertInto('openkeel_local_allocation')
      .values({ consumer, provider, ...amounts })
      .execute();
    return true;
  }
}

async function providerOfClaim(queries: Queries, consumer: string): Promise<string | undefined> {
  const row = await queries.selectFrom('openkeel_local_allocation').select('provider').where('consumer', '=', consumer).executeTakeFirst();
  return row?.provider;
}

async function usedOf(queries: Queries, provider: string, except: string | null): Promise<Amounts> {
  let query = queries
    .selectFrom('openkeel_local_allocation')
    .select(({ fn }) => [fn.sum('vcpu').as('vcpu'), fn.sum('memory_mb').as('memoryMb'), fn.sum('disk_gb').as('diskGb')])
    .where('provider', '=', provider);
  if (except !== null) query = query.where('consumer', '!=', except);
  const sums = await query.executeTakeFirst();
  return { vcpu: Number(sums?.vcpu ?? 0), memoryMb: Number(sums?.memoryMb ?? 0), diskGb: Number(sums?.diskGb ?? 0) };
}

function fits(has: NodeInventory, used: Amounts, asked: Amounts): boolean {
  const room = (total: number, ratio: number, taken: number, wanted: number) =>
    wanted <= total && taken + wanted <= Math.floor(total * ratio);
  return (
    room(has.vcpu, has.cpuAllocationRatio, used.vcpu, asked.vcpu) &&
    room(has.memoryMb, has.memoryAllocationRatio, used.memoryMb, asked.memoryMb) &&
    (asked.diskGb === 0 || room(has.diskGb, has.diskAllocationRatio, used.diskGb, asked.diskGb))
  );
}
