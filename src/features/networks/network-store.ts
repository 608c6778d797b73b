import type { Insertable, Selectable } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { Schema } from '../../db/schema.generated.ts';

/** A row of `network`: a network that a host's engine was told of. `network_id` is its name in the engine. */
export type NetworkRow = Selectable<Schema['network']>;

/** By the id its service gave it. */
export async function networkOfHost(queries: Queries, neutronNetId: string, host: string): Promise<NetworkRow | undefined> {
  return queries.selectFrom('network').selectAll().where('neutron_net_id', '=', neutronNetId).where('host', '=', host).executeTakeFirst();
}

/** All rows, of any host, that the id or the name means. */
export async function findNetworks(queries: Queries, ident: string): Promise<NetworkRow[]> {
  return queries
    .selectFrom('network')
    .selectAll()
    .where((row) => row.or([row('neutron_net_id', '=', ident), row('name', '=', ident)]))
    .execute();
}

export async function insertNetwork(queries: Queries, row: Insertable<Schema['network']>): Promise<void> {
  await queries.insertInto('network').values(row).execute();
}

export async function deleteNetwork(queries: Queries, id: number): Promise<void> {
  await queries.deleteFrom('network').where('id', '=', id).execute();
}
