/**
 * Indexes that this service adds to the original's tables, for its hot paths (docs/DATABASE.md says which query each is for). The
 * original ignores them; none is unique, so none can refuse what the original writes.
 */
export const ownIndexes: { table: string; name: string; columns: string[]; unique: false }[] = [
  { table: 'container', name: 'openkeel_container_project_idx', columns: ['project_id', 'container_type', 'id'], unique: false },
  { table: 'container', name: 'openkeel_container_name_idx', columns: ['name'], unique: false },
  { table: 'container', name: 'openkeel_container_host_idx', columns: ['host', 'container_type'], unique: false },
  { table: 'compute_node', name: 'openkeel_compute_node_hostname_idx', columns: ['hostname'], unique: false },
  { table: 'image', name: 'openkeel_image_uuid_idx', columns: ['uuid'], unique: false },
  { table: 'image', name: 'openkeel_image_project_idx', columns: ['project_id', 'id'], unique: false },
  { table: 'registry', name: 'openkeel_registry_project_idx', columns: ['project_id', 'id'], unique: false },
];
