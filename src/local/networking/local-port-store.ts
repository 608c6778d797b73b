import type { Insertable, Selectable } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { Schema } from '../../db/schema.generated.ts';
import type { FixedIp } from '../../networking/networking.ts';

type PortRow = Selectable<Schema['openkeel_local_port']>;

/** A row of `openkeel_local_port`. */
export interface LocalPort {
  id: string;
  key: string;
  networkId: string;
  projectId: string;
  /** '' when unbound. */
  containerUuid: string;
  macAddress: string;
  fixedIps: FixedIp[];
}

export async function findPort(queries: Queries, by: { id: string } | { key: string }): Promise<LocalPort | null> {
  const query = queries.selectFrom('openkeel_local_port').selectAll();
  const row = await ('id' in by ? query.where('id', '=', by.id) : query.where('port_key', '=', by.key)).executeTakeFirst();
  return row ? portOf(row) : null;
}

export async function portsWhere(queries: Queries, by: { containerUuid: string } | { networkId: string }): Promise<LocalPort[]> {
  const query = queries.selectFrom('openkeel_local_port').selectAll();
  const rows = 'networkId' in by ? query.where('network_id', '=', by.networkId) : query.where('container_uuid', '=', by.containerUuid);
  return (await rows.orderBy('port_key').execute()).map(portOf);
}

export async function insertPort(queries: Queries, port: LocalPort): Promise<void> {
  const row: Insertable<Schema['openkeel_local_port']> = {
    id: port.id,
    port_key: port.key,
    network_id: port.networkId,
    project_id: port.projectId,
    container_uuid: port.containerUuid,
    mac_address: port.macAddress,
    fixed_ips: JSON.stringify(port.fixedIps),
  };
  await queries.insertInto('openkeel_local_port').values(row).execute();
}

export async function setPortContainer(queries: Queries, id: string, containerUuid: string): Promise<void> {
  await queries.updateTable('openkeel_local_port').set({ container_uuid: containerUuid }).where('id', '=', id).execute();
}

/** Gives a port to a container, unless another has it or it is gone: then `false`. */
export async function takePort(queries: Queries, id: string, containerUuid: string): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('openkeel_local_port')
    .set({ container_uuid: containerUuid })
    .where('id', '=', id)
    .where('container_uuid', 'in', ['', containerUuid])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deletePort(queries: Queries, id: string): Promise<void> {
  await queries.deleteFrom('openkeel_local_port').where('id', '=', id).execute();
}

const portOf = (row: PortRow): LocalPort => ({
  id: row.id,
  key: row.port_key,
  networkId: row.network_id,
  projectId: row.project_id,
  containerUuid: row.container_uuid,
  macAddress: row.mac_address,
  fixedIps: JSON.parse(row.fixed_ips),
});
