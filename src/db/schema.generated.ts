// Made by tools/generate-db-types.ts from contract/db/tables.json and src/db/own-tables.ts.
import type { ColumnType } from 'kysely';

/** A column that an insert may leave out. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;
/** TINYINT(1) on MariaDB and SQLite, BOOLEAN on PostgreSQL: read with Boolean(). */
type Flag<Null> = ColumnType<number | boolean | Null, number | boolean | Null | undefined, number | boolean | Null>;

/** Rows as the drivers return them: times are `YYYY-MM-DD HH:MM:SS[.ffffff]` in UTC, JSON columns are text. */
export interface Schema {
  alembic_version: {
    version_num: string;
  };
  allocation: {
    created_at: Defaulted<string | null>;
    updated_at: Defaulted<string | null>;
    id: Defaulted<number>;
    resource_provider_id: number;
    consumer_id: string;
    resource_class_id: number;
    used: number;
    is_nested: number;
    blob: Defaulted<string | null>;
  };
  compute_node: {
    created_at: Defaulted<string | null>;
    updated_at: Defaulted<string | null>;
    uuid: string;
    hostname: string;
    numa_topology: Defaulted<string | null>;
    mem_total: number;
    mem_free: number;
    mem_available: number;
    total_containers: number;
    running_containers: number;
    paused_containers: number;
    stopped_containers: number;
    cpus: number;
    cpu_used: number;
    architecture: Defaulted<string | null>;
    os_type: Defaulted<string | null>;
    os: Defaulted<string | null>;
    kernel_version: Defaulted<string | null>;
    labels: Defaulted<string | null>;
    mem_used: number;
    pci_stats: Defaulted<string | null>;
    disk_total: number;
    disk_used: number;
    disk_quota_supported: Flag<never>;
    runtimes: Defaulted<string | null>;
    enable_cpu_pinning: Flag<never>;
    rp_uuid: string;
  };
  container: {
    created_at: Defaulted<string | null>;
    updated_at: Defaulted<string | null>;
    id: Defaulted<number>;
    project_id: Defaulted<string | null>;
    user_id: Defaulted<string | null>;
    uuid: Defaulted<string | null>;
    name: Defaulted<string | null>;
    image: Defaulted<string | null>;
    command: Defaulted<string | null>;
    status: Defaulted<string | null>;
    environment: Defaulted<string | null>;
    container_id: Defaulted<string | null>;
    memory: Defaulted<string | null>;
    task_state: Defaulted<string | null>;
    cpu: Defaulted<number | null>;
    workdir: Defaulted<string | null>;
    ports: Defaulted<string | null>;
    hostname: Defaulted<string | null>;
    labels: Defaulted<string | null>;
    status_reason: Defaulted<string | null>;
    image_pull_policy: Defaulted<string | null>;
    addresses: Defaulted<string | null>;
    host: Defaulted<string | null>;
    restart_policy: Defaulted<string | null>;
    status_detail: Defaulted<string | null>;
    image_driver: Defaulted<string | null>;
    interactive: Flag<null>;
    websocket_url: Defaulted<string | null>;
    websocket_token: Defaulted<string | null>;
    security_groups: Defaulted<string | null>;
    auto_remove: Flag<null>;
    runtime: Defaulted<string | null>;
    disk: Defaulted<number | null>;
    auto_heal: Flag<null>;
    capsule_id: Defaulted<number | null>;
    started_at: Defaulted<string | null>;
    privileged: Flag<null>;
    healthcheck: Defaulted<string | null>;
    exposed_ports: Defaulted<string | null>;
    cpu_policy: Defaulted<string | null>;
    cpuset: Defaulted<string | null>;
    registry_id: Defaulted<number | null>;
    container_type: Defaulted<number | null>;
    tty: Flag<null>;
    annotations: Defaulted<string | null>;
    cni_metadata: Defaulted<string | null>;
    entrypoint: Defaulted<string | null>;
  };
  container_actions: {
    created_at: Defaulted<string | null>;
    updated_at: Defaulted<string | null>;
    id: Defaulted<number>;
    action: Defaulted<string | null>;
    container_uuid: string;
    request_id: Defaulted<string | null>;
    user_id: Defaulted<string | null>;
    project_id: Defaulted<string | null>;
    start_time: Defaulted<string | null>;
    finish_time: Defaulted<string | null>;
    message: Defaulted<string | null>;
  };
  container_actions_events: {
    created_at: Defaulted<string | null>;
    updated_at: Defaulted<string | null>;
    id: Defaulted<number>;
    event: Defaulted<string | null>;
    action_id: number;
    start_time: Defaulted<string | null>;
    finish_time: Defaulted<string | null>;
    result: Defaulted<string | null>;
    traceback: Defaulted<string | null>;
    details: Defaulted<string | null>;
  };
  exec_instance: {
    created_at: Defaulted<string | null>;
    updated_at: Defaulted<string | null>;
    id: Defaulted<number>;
    container_id: number;
    exec_id: string;
    token: Defaulted<string | null>;
    url: Defaulted<string | null>;
  };
  image: {
    created_at: Defaulted<string | null>;
    updated_at: Defaulted<string | null>;
    id: Defaulted<number>;
    project_id: Defaulted<string | null>;
    user_id: Defaulted<string | null>;
    uuid: Defaulted<string | null>;
    image_id: Defaulted<string | null>;
    repo: Defaulted<string | null>;
    tag: Defaulted<string | null>;
    size: Defaulted<string | null>;
    host: Defaulted<string | null>;
  };
  inventory: {
    created_at: Defaulted<string | null>;
    updated_at: Defaulted<string | null>;
    id: Defaulted<number>;
    resource_provider_id: number;
    resource_class_id: number;
    total: number;
    reserved: number;
    min_unit: number;
    max_unit: number;
    step_size: number;
    allocation_ratio: number;
    is_nested: number;
    blob: Defaulted<string | null>;
  };
  network: {
    created_at: Defaulted<string | null>;
    updated_at: Defaulted<string | null>;
    id: Defaulted<number>;
    project_id: Defaulted<string | null>;
    user_id: Defaulted<string | null>;
    name: Defaulted<string | null>;
    uuid: Defaulted<string | null>;
    network_id: Defaulted<string | null>;
    neutron_net_id: Defaulted<string | null>;
    host: Defaulted<string | null>;
  };
  pci_device: {
    id: Defaulted<number>;
    uuid: Defaulted<string | null>;
    compute_node_uuid: string;
    address: string;
    vendor_id: string;
    product_id: string;
    dev_type: string;
    dev_id: Defaulted<string | null>;
    label: string;
    status: string;
    extra_info: Defaulted<string | null>;
    container_uuid: Defaulted<string | null>;
    numa_node: Defaulted<number | null>;
    parent_addr: Defaulted<string | null>;
    created_at: Defaulted<string | null>;
    updated_at: Defaulted<string | null>;
    request_id: Defaulted<string | null>;
  };
  quota_classes: {
    created_at: Defaulted<string | null>;
    updated_at: Defaulted<string | null>;
    id: Defaulted<number>;
    class_name: Defaulted<string | null>;
    resource: Defaulted<string | null>;
    hard_limit: Defaulted<number | null>;
  };
  quota_usages: {
    created_at: Defaulted<string | null>;
    updated_at: Defaulted<string | null>;
    id: number;
    project_id: Defaulted<string | null>;
    resource: string;
    in_use: number;
    reserved: number;
    until_refresh: Defaulted<number | null>;
  };
  quotas: {
    created_at: Defaulted<string | null>;
    updated_at: Defaulted<string | null>;
    id: Defaulted<number>;
    project_id: Defaulted<string | null>;
    resource: string;
    hard_limit: Defaulted<number | null>;
  };
  registry: {
    created_at: Defaulted<string | null>;
    updated_at: Defaulted<string | null>;
    id: Defaulted<number>;
    project_id: Defaulted<string | null>;
    user_id: Defaulted<string | null>;
    uuid: Defaulted<string | null>;
    name: Defaulted<string | null>;
    domain: string;
    username: Defaulted<string | null>;
    password: Defaulted<string | null>;
  };
  resource_class: {
    created_at: Defaulted<string | null>;
    updated_at: Defaulted<string | null>;
    id: Defaulted<number>;
    name: string;
    uuid: string;
  };
  resource_provider: {
    created_at: Defaulted<string | null>;
    updated_at: Defaulted<string | null>;
    id: Defaulted<number>;
    uuid: string;
    name: string;
    root_provider: string;
    parent_provider: Defaulted<string | null>;
    can_host: Defaulted<number | null>;
  };
  volume: {
    created_at: Defaulted<string | null>;
    updated_at: Defaulted<string | null>;
    id: Defaulted<number>;
    uuid: string;
    project_id: Defaulted<string | null>;
    user_id: Defaulted<string | null>;
    cinder_volume_id: Defaulted<string | null>;
    volume_provider: string;
    connection_info: Defaulted<string | null>;
    host: Defaulted<string | null>;
    auto_remove: Flag<null>;
    contents: Defaulted<string | null>;
  };
  volume_mapping: {
    created_at: Defaulted<string | null>;
    updated_at: Defaulted<string | null>;
    id: Defaulted<number>;
    uuid: string;
    project_id: Defaulted<string | null>;
    user_id: Defaulted<string | null>;
    container_uuid: Defaulted<string | null>;
    container_path: Defaulted<string | null>;
    volume_id: number;
  };
  zun_service: {
    id: Defaulted<number>;
    created_at: Defaulted<string | null>;
    updated_at: Defaulted<string | null>;
    report_count: number;
    host: Defaulted<string | null>;
    binary: Defaulted<string | null>;
    disabled: Flag<null>;
    disabled_reason: Defaulted<string | null>;
    last_seen_up: Defaulted<string | null>;
    forced_down: Flag<null>;
    availability_zone: Defaulted<string | null>;
  };
  openkeel_task: {
    id: Defaulted<number>;
    uuid: string;
    kind: string;
    subject: string;
    project_id: string;
    request_id: Defaulted<string | null>;
    action_id: Defaulted<number | null>;
    payload: string;
    progress: string;
    state: string;
    attempt: number;
    cancelled: number;
    lease_owner: Defaulted<string | null>;
    claimable_at: number;
    deadline: number;
    created_at: number;
    turn: Defaulted<number>;
  };
  openkeel_lease: {
    name: string;
    holder: Defaulted<string | null>;
    term: number;
    renewals: number;
    duration_ms: number;
    renewed_at: number;
  };
  openkeel_local_node: {
    provider: string;
    hostname: string;
    vcpu: number;
    most_vcpu: number;
    memory_mb: number;
    most_memory_mb: number;
    disk_gb: number;
    most_disk_gb: number;
  };
  openkeel_local_allocation: {
    consumer: string;
    provider: string;
    vcpu: number;
    memory_mb: number;
    disk_gb: number;
  };
  openkeel_local_port: {
    id: string;
    port_key: string;
    network_id: string;
    project_id: string;
    container_uuid: string;
    mac_address: string;
    fixed_ips: string;
  };
  openkeel_local_attachment: {
    volume_id: string;
    container_uuid: string;
  };
  openkeel_failed_pull: {
    image_uuid: string;
    reason: string;
    failed_at: number;
  };
  openkeel_console: {
    id: string;
    container_uuid: string;
    kind: string;
    command: Defaulted<string | null>;
    interactive: number;
    token_hash: string;
    width: Defaulted<number | null>;
    height: Defaulted<number | null>;
    opened_at: Defaulted<number | null>;
    expires_at: number;
  };
  openkeel_project_lock: {
    project_id: string;
    taken: number;
  };
}
