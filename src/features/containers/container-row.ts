import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Schema } from '../../db/schema.generated.ts';
import { invalidValue } from '../../errors/catalogue.ts';
import { databaseTime, fromDatabaseTime } from '../../telemetry/database-time.ts';
import type { Container, ContainerChanges, ContainerStatus, TaskState } from './container.ts';

export type ContainerRow = Selectable<Schema['container']>;

type Field = Exclude<keyof Container, 'id' | 'createdAt' | 'updatedAt'>;

interface Codec {
  column: keyof ContainerRow;
  encode(value: unknown): unknown;
  decode(value: unknown): unknown;
}

const plain = (column: keyof ContainerRow): Codec => ({ column, encode: (value) => value, decode: (value) => value });
const flag = (column: keyof ContainerRow): Codec => ({
  column,
  encode: (value) => value,
  decode: (value) => (value === null ? null : Boolean(value)),
});
const time = (column: keyof ContainerRow): Codec => ({
  column,
  encode: (value) => (typeof value === 'number' ? databaseTime(value) : null),
  decode: (value) => fromDatabaseTime(value as string | null),
});
/** NULL never reaches these columns through the original's ORM: it writes the empty value instead. */
const json = (column: keyof ContainerRow, empty: '{}' | '[]'): Codec => ({
  column,
  encode: (value) => (value === null || value === undefined ? empty : fittingText(column, JSON.stringify(value))),
  decode: (value) => JSON.parse(typeof value === 'string' && value !== '' ? value : empty),
});

/** The columns are TEXT; what MariaDB would refuse is the client's mistake (the original answers 500). */
function fittingText(column: string, text: string): string {
  const bytes = Buffer.byteLength(text);
  if (bytes > 65_535) throw invalidValue(`Invalid value for ${column}: it takes ${bytes} bytes as JSON, and at most 65535 can be stored.`);
  return text;
}

const codecs: Record<Field, Codec> = {
  uuid: plain('uuid'),
  containerType: plain('container_type'),
  containerId: plain('container_id'),
  name: plain('name'),
  projectId: plain('project_id'),
  userId: plain('user_id'),
  image: plain('image'),
  imageDriver: plain('image_driver'),
  imagePullPolicy: plain('image_pull_policy'),
  cpu: plain('cpu'),
  cpuPolicy: plain('cpu_policy'),
  memory: plain('memory'),
  disk: plain('disk'),
  command: json('command', '[]'),
  entrypoint: json('entrypoint', '[]'),
  environment: json('environment', '{}'),
  workdir: plain('workdir'),
  labels: json('labels', '{}'),
  hostname: plain('hostname'),
  ports: json('ports', '[]'),
  addresses: json('addresses', '{}'),
  securityGroups: json('security_groups', '[]'),
  exposedPorts: json('exposed_ports', '{}'),
  restartPolicy: json('restart_policy', '{}'),
  healthcheck: json('healthcheck', '{}'),
  interactive: flag('interactive'),
  tty: flag('tty'),
  autoRemove: flag('auto_remove'),
  autoHeal: flag('auto_heal'),
  privileged: flag('privileged'),
  runtime: plain('runtime'),
  host: plain('host'),
  registryId: plain('registry_id'),
  status: plain('status'),
  statusReason: plain('status_reason'),
  statusDetail: plain('status_detail'),
  taskState: plain('task_state'),
  startedAt: time('started_at'),
};

const fields = Object.entries(codecs) as [Field, Codec][];

/** The columns that fields of a container come from. */
export const containerColumns: readonly string[] = Object.values(codecs).map((codec) => codec.column);

export function containerFromRow(row: ContainerRow): Container {
  const decoded: Record<string, unknown> = {};
  for (const [field, codec] of fields) decoded[field] = codec.decode(row[codec.column]);
  return {
    ...(decoded as Omit<Container, 'id' | 'createdAt' | 'updatedAt'>),
    id: row.id,
    status: row.status as ContainerStatus,
    taskState: row.task_state as TaskState | null,
    createdAt: fromDatabaseTime(row.created_at),
    updatedAt: fromDatabaseTime(row.updated_at),
  };
}

/** Only the columns of the fields that are given. */
export function rowFromContainer(changes: ContainerChanges & { uuid?: string }): Updateable<Schema['container']> {
  const row: Record<string, unknown> = {};
  for (const [field, codec] of fields) {
    const value = changes[field as keyof typeof changes];
    if (value !== undefined) row[codec.column] = codec.encode(value);
  }
  return row;
}

/** All columns, JSON nulls written as the original does. */
export function fullRow(container: Omit<Container, 'id' | 'createdAt' | 'updatedAt'>): Insertable<Schema['container']> {
  // The CPU set that nobody asks for is an empty object in the original's rows.
  const row: Record<string, unknown> = { cpuset: '{}' };
  for (const [field, codec] of fields) row[codec.column] = codec.encode(container[field]);
  return row;
}
