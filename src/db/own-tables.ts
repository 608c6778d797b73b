import type { TableDescription } from './table-description.ts';

const column = (name: string, type: string, options: { nullable?: boolean; default?: string } = {}) => ({
  name,
  type,
  nullable: options.nullable ?? false,
  default: options.default ?? null,
});

/**
 * The tables beside the original's. Times are epoch milliseconds (BIGINT), since DATETIME on MariaDB keeps
 * no fractions and leases need them.
 */
export const ownTables: Record<string, TableDescription> = {
  /**
   * The durable queue (`src/tasks`). One row a task that has not ended; `attempt` is the fence, `turn` the order between projects. TEXT of
   * MariaDB ends at 64 KiB.
   */
  openkeel_task: {
    columns: [
      column('id', 'INTEGER'),
      column('uuid', 'VARCHAR(36)'),
      column('kind', 'VARCHAR(64)'),
      column('subject', 'VARCHAR(36)'),
      column('project_id', 'VARCHAR(255)'),
      column('request_id', 'VARCHAR(255)', { nullable: true }),
      column('action_id', 'INTEGER', { nullable: true }),
      column('payload', 'MEDIUMTEXT'),
      column('progress', 'MEDIUMTEXT'),
      column('state', 'VARCHAR(16)'),
      column('attempt', 'INTEGER'),
      column('cancelled', 'INTEGER'),
      column('lease_owner', 'VARCHAR(64)', { nullable: true }),
      column('claimable_at', 'BIGINT'),
      column('deadline', 'BIGINT'),
      column('created_at', 'BIGINT'),
      column('turn', 'INTEGER', { default: '0' }),
    ],
    primary_key: ['id'],
    unique: [{ name: 'uniq_openkeel_task0uuid', columns: ['uuid'] }],
    indexes: [
      // Of one row after the other it tells whether it is to be claimed, and whether it ever was, without a look at the row.
      { name: 'openkeel_task_turn_idx', columns: ['turn', 'id', 'claimable_at', 'attempt'], unique: false },
      { name: 'openkeel_task_project_idx', columns: ['project_id', 'turn'], unique: false },
      { name: 'openkeel_task_subject_idx', columns: ['subject', 'id'], unique: false },
    ],
    foreign_keys: [],
  },
  /**
   * Who leads what (`src/sync/lead.ts`). `renewals` counts up while the holder lives: that is what others judge it by; `renewed_at` is
   * for people. `holder` NULL = given back.
   */
  openkeel_lease: {
    columns: [
      column('name', 'VARCHAR(255)'),
      column('holder', 'VARCHAR(255)', { nullable: true }),
      column('term', 'INTEGER'),
      column('renewals', 'BIGINT'),
      column('duration_ms', 'INTEGER'),
      column('renewed_at', 'BIGINT'),
    ],
    primary_key: ['name'],
    unique: [],
    indexes: [],
    foreign_keys: [],
  },
  /**
   * What nodes have, where there is no Placement (`src/local/inventory`); `most` is how much of it may be promised: times its ratio, whole.
   */
  openkeel_local_node: {
    columns: [
      column('provider', 'VARCHAR(36)'),
      column('hostname', 'VARCHAR(255)'),
      column('vcpu', 'INTEGER'),
      column('most_vcpu', 'BIGINT'),
      column('memory_mb', 'INTEGER'),
      column('most_memory_mb', 'BIGINT'),
      column('disk_gb', 'INTEGER'),
      column('most_disk_gb', 'BIGINT'),
    ],
    primary_key: ['provider'],
    unique: [],
    indexes: [{ name: 'openkeel_local_node_hostname_idx', columns: ['hostname'], unique: false }],
    foreign_keys: [],
  },
  /** Claims on nodes, where there is no Placement (`src/local/inventory`). */
  openkeel_local_allocation: {
    columns: [
      column('consumer', 'VARCHAR(36)'),
      column('provider', 'VARCHAR(36)'),
      column('vcpu', 'INTEGER'),
      column('memory_mb', 'INTEGER'),
      column('disk_gb', 'INTEGER'),
    ],
    primary_key: ['consumer'],
    unique: [],
    indexes: [{ name: 'openkeel_local_allocation_provider_idx', columns: ['provider'], unique: false }],
    foreign_keys: [],
  },
  /** Ports in `standalone`, where there is no Neutron (`src/local/networking`). */
  openkeel_local_port: {
    columns: [
      column('id', 'VARCHAR(36)'),
      column('port_key', 'VARCHAR(64)'),
      column('network_id', 'VARCHAR(36)'),
      column('project_id', 'VARCHAR(255)'),
      column('container_uuid', 'VARCHAR(36)'),
      column('mac_address', 'VARCHAR(17)'),
      column('fixed_ips', 'TEXT'),
    ],
    primary_key: ['id'],
    unique: [{ name: 'uniq_openkeel_local_port0port_key', columns: ['port_key'] }],
    indexes: [
      { name: 'openkeel_local_port_container_idx', columns: ['container_uuid'], unique: false },
      { name: 'openkeel_local_port_network_idx', columns: ['network_id'], unique: false },
    ],
    foreign_keys: [],
  },
  /** Which container holds a volume in `standalone`, where there is no Cinder (`src/local/volumes`). */
  openkeel_local_attachment: {
    columns: [column('volume_id', 'VARCHAR(36)'), column('container_uuid', 'VARCHAR(36)')],
    primary_key: ['volume_id'],
    unique: [],
    indexes: [{ name: 'openkeel_local_attachment_container_idx', columns: ['container_uuid'], unique: false }],
    foreign_keys: [],
  },
  /** Why a pulled image's row is gone: `image` has no column for it (`src/features/images`). Kept for a day. */
  openkeel_failed_pull: {
    columns: [column('image_uuid', 'VARCHAR(36)'), column('reason', 'TEXT'), column('failed_at', 'BIGINT')],
    primary_key: ['image_uuid'],
    unique: [],
    indexes: [{ name: 'openkeel_failed_pull_failed_at_idx', columns: ['failed_at'], unique: false }],
    foreign_keys: [],
  },
  /**
   * Consoles that somebody may open, or has open (`src/features/consoles`). `id`: of an exec what clients know it by. `token_hash`: SHA-256, hex.
   * `command` (JSON) and `interactive` of an exec. `expires_at`: until when it may be opened, and then pushed on while it is open.
   */
  openkeel_console: {
    columns: [
      column('id', 'VARCHAR(64)'),
      column('container_uuid', 'VARCHAR(36)'),
      column('kind', 'VARCHAR(16)'),
      column('command', 'MEDIUMTEXT', { nullable: true }),
      column('interactive', 'INTEGER'),
      column('token_hash', 'VARCHAR(64)'),
      column('width', 'INTEGER', { nullable: true }),
      column('height', 'INTEGER', { nullable: true }),
      column('opened_at', 'BIGINT', { nullable: true }),
      column('expires_at', 'BIGINT'),
    ],
    primary_key: ['id'],
    unique: [],
    indexes: [
      { name: 'openkeel_console_container_idx', columns: ['container_uuid'], unique: false },
      { name: 'openkeel_console_expires_at_idx', columns: ['expires_at'], unique: false },
    ],
    foreign_keys: [],
  },
  /**
   * What `take-lock.ts` takes: a row a project, written first in every transaction that counts its usage (`src/features/quotas`), and one a
   * network without Neutron; `taken` only has to change.
   */
  openkeel_project_lock: {
    columns: [column('project_id', 'VARCHAR(255)'), column('taken', 'BIGINT')],
    primary_key: ['project_id'],
    unique: [],
    indexes: [],
    foreign_keys: [],
  },
};
