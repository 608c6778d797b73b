import type { Database, Queries } from '../../db/database.ts';
import type { Candidate, Claim, Inventory, NodeInventory, ResourceRequest } from '../../scheduling/inventory.ts';
import { localNodes, saveLocalNode, usedWithout } from './local-node-store.ts';
import { type Amounts, hasRoom } from './local-room.ts';

/**
 * Placement's part where there is none: claims are rows of `openkeel_local_allocation`, what a node has is the row of `openkeel_local_node`
 * that its agent wrote last, whichever process that is. As in Placement one claim can't exceed the node itself, and all together not the
 * node times its ratio, and a disabled one is no candidate, whatever filters there are (the original's trait COMPUTE_STATUS_DISABLED): that
 * is read from `zun_service`, where it is never old.
 */
export class LocalInventory implements Inventory {
  readonly #database: Database;
  #orphans = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
  }

  async report({ uuid, hostname, inventory }: { uuid: string; hostname: string; inventory: NodeInventory }): Promise<void> {
    await saveLocalNode(this.#database, uuid, hostname, inventory);
  }

  async candidates(request: ResourceRequest): Promise<Candidate[]> {
    const nodes = await localNodes(this.#database.queries, request.host === null ? {} : { hostname: request.host });
    const fitting = nodes.filter((node) => !node.disabled && hasRoom(node, node.used, request));
    return fitting.map(({ provider }) => ({ resourceProviderUuid: provider, resources: request }));
  }

  async claim(consumer: string, candidate: Candidate): Promise<boolean> {
    return this.#database.transaction(async (transaction) => {
      if (await providerOfClaim(transaction, consumer)) return true;
      return write(transaction, consumer, candidate.resourceProviderUuid, candidate.resources);
    });
  }

  /** A consumer that holds nothing (its claim was swept, or is older than this table) claims on the host it names. */
  async resize(consumer: string, request: ResourceRequest): Promise<boolean> {
    return this.#database.transaction(async (transaction) => {
      const provider = (await providerOfClaim(transaction, consumer)) ?? (await anyProvider(transaction, request.host));
      return provider !== undefined && write(transaction, consumer, provider, request);
    });
  }

  async release(consumer: string): Promise<void> {
    await this.#database.queries.deleteFrom('openkeel_local_allocation').where('consumer', '=', consumer).execute();
  }

  async claimsOn(host: string): Promise<Claim[]> {
    const rows = await this.#database.queries
      .selectFrom('openkeel_local_allocation as claim')
      .innerJoin('openkeel_local_node as node', 'node.provider', 'claim.provider')
      .selectAll('claim')
      .where('node.hostname', '=', host)
      .execute();
    return rows.map((row) => ({ consumer: row.consumer, vcpu: row.vcpu, memoryMb: row.memory_mb, diskGb: row.disk_gb }));
  }

  /**
   * Releases the claims of consumers that do not exist. A claim is made before its container's row is committed, so one is swept only
   * when it was an orphan at the sweep before as well; with `nothingInFlight` (at the start of the only process) at once.
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
}

async function write(transaction: Queries, consumer: string, provider: string, { vcpu, memoryMb, diskGb }: Amounts): Promise<boolean> {
  // The node's row is locked until the end, so that no two claims count the same room (SQLite has one writer anyway).
  await transaction
    .updateTable('openkeel_local_node')
    .set(({ ref }) => ({ provider: ref('provider') }))
    .where('provider', '=', provider)
    .execute();
  const [node] = await localNodes(transaction, { provider });
  if (!node || !hasRoom(node, await usedWithout(transaction, provider, consumer), { vcpu, memoryMb, diskGb })) return false;
  const amounts = { vcpu, memory_mb: memoryMb, disk_gb: diskGb };
  await transaction.deleteFrom('openkeel_local_allocation').where('consumer', '=', consumer).execute();
  await transaction
    .insertInto('openkeel_local_allocation')
    .values({ consumer, provider, ...amounts })
    .execute();
  return true;
}

async function providerOfClaim(queries: Queries, consumer: string): Promise<string | undefined> {
  const row = await queries.selectFrom('openkeel_local_allocation').select('provider').where('consumer', '=', consumer).executeTakeFirst();
  return row?.provider;
}

async function anyProvider(queries: Queries, host: string | null): Promise<string | undefined> {
  const query = queries.selectFrom('openkeel_local_node').select('provider');
  const row = await (host === null ? query : query.where('hostname', '=', host)).executeTakeFirst();
  return row?.provider;
}
