import type { DroppedOptions } from './dropped-option.ts';

const tls = 'TLS ends at a proxy before the API.';
const clientOf = (service: string): Pick<DroppedOptions, 'reservedFor' | 'why'> => ({
  reservedFor: service,
  why: `Nothing here calls ${service} yet: standalone has an adapter of its own.`,
});
const clientNames = ['ca_file', 'cert_file', 'endpoint_type', 'insecure', 'key_file', 'region_name'];

/** Each of the options that Zun 18.0.0 registers itself and that no row of the settings table replaces, with the reason. */
export const droppedOptions: readonly DroppedOptions[] = [
  {
    group: 'DEFAULT',
    names: ['bindir', 'pybasedir', 'state_path'],
    why: 'Nothing is installed or kept there; standalone keeps everything in its data folder (ZUN_DATA).',
  },
  {
    group: 'DEFAULT',
    names: ['capsule_driver', 'container_driver'],
    why: 'Drivers are not loaded by name: runtime.kind chooses between an engine and a cluster.',
  },
  {
    group: 'DEFAULT',
    names: ['container_runtime'],
    why: "A container that names no runtime gets the engine's own default; on a cluster kubernetes.defaultRuntimeClass.",
  },
  {
    group: 'DEFAULT',
    names: ['default_disk'],
    reservedFor: 'limits of disks',
    why: 'A container that names no disk gets no limit of its disk.',
  },
  { group: 'DEFAULT', names: ['default_memory_swap'], why: 'Swap follows the memory limit: as much again.' },
  { group: 'DEFAULT', names: ['default_sleep_time', 'default_timeout'], why: 'The original registers it and reads it nowhere.' },
  { group: 'DEFAULT', names: ['floating_cpu_set'], reservedFor: 'pinning of CPUs', why: 'No CPU is pinned yet, so all of them float.' },
  {
    group: 'DEFAULT',
    names: ['my_block_storage_ip'],
    reservedFor: 'Cinder',
    why: 'Volumes are those of the engine: no node connects to a block storage.',
  },
  { group: 'DEFAULT', names: ['mysql_engine'], why: 'The schema is of InnoDB: transactions are relied on.' },
  { group: 'DEFAULT', names: ['rootwrap_config'], why: 'No commands are run as root through rootwrap.' },
  {
    group: 'DEFAULT',
    names: ['sandbox_image', 'sandbox_image_driver', 'sandbox_image_pull_policy'],
    why: "The image of a capsule's sandbox is built by the program itself, and needs no registry.",
  },

  { group: 'api', names: ['api_paste_config'], why: 'The steps of a request and their order are fixed in the program.' },
  {
    group: 'api',
    names: ['enable_image_validation'],
    why: 'A create waits for no registry: an impossible name is refused at once, a missing image ends in Error with the words of the registry.',
  },
  { group: 'api', names: ['enable_ssl_api'], why: tls },
  { group: 'api', names: ['workers'], why: 'One process serves; for more, more of them are started.' },

  { group: 'cinder_client', names: ['api_version', 'ca_file', 'endpoint_type', 'insecure', 'region_name'], ...clientOf('Cinder') },
  {
    group: 'cni_daemon',
    names: [
      'cni_daemon_host',
      'cni_daemon_port',
      'docker_mode',
      'netns_proc_dir',
      'pyroute2_timeout',
      'sriov_physnet_resource_mappings',
      'sriov_resource_driver_mappings',
      'vif_active_timeout',
      'worker_num',
      'zun_cni_config_file',
    ],
    why: 'There is no CNI daemon: the engine connects its containers to networks.',
  },

  { group: 'compute', names: ['enable_cpu_pinning'], reservedFor: 'pinning of CPUs', why: 'No CPU is pinned yet.' },
  { group: 'compute', names: ['host_shared_with_nova', 'resource_provider_association_refresh'], ...clientOf('Placement') },
  {
    group: 'compute',
    names: ['remount_container_volume'],
    why: 'Volumes stay with the engine when the program or the machine starts again: there is nothing to mount.',
  },
  {
    group: 'compute',
    names: ['reserved_host_cpus', 'reserved_host_disk_mb', 'reserved_host_memory_mb'],
    reservedFor: 'Placement',
    why: 'Nothing of a node is set aside yet: allocationRatios says how much may be promised.',
  },
  {
    group: 'compute',
    names: ['resume_container_state'],
    why: 'Containers are found as the engine has them; a restart policy, heeded by the engine, starts them again.',
  },
  { group: 'compute', names: ['topic'], why: 'There is no message bus: work is queued in the database.' },

  {
    group: 'docker',
    names: ['api_insecure', 'ca_file', 'cert_file', 'key_file'],
    why: 'The engine is reached over its socket, or plain TCP in a network of its own.',
  },
  {
    group: 'docker',
    names: ['default_registry_password', 'default_registry_username'],
    why: 'A registry that wants a login is created as a resource of the API, its password encrypted.',
  },
  { group: 'docker', names: ['docker_data_root'], why: 'The engine is asked where its data is.' },
  {
    group: 'docker',
    names: ['docker_remote_api_host', 'docker_remote_api_port', 'docker_remote_api_url'],
    why: 'No client is led to the engine itself.',
  },
  { group: 'docker', names: ['docker_remote_api_version'], why: 'The version is agreed on with the engine.' },

  { group: 'glance', names: ['images_directory'], ...clientOf('Glance') },
  { group: 'glance_client', names: ['api_version', ...clientNames], ...clientOf('Glance') },
  {
    group: 'keystone_auth',
    names: [
      'auth_section',
      'auth_type',
      'auth_url',
      'default_domain_id',
      'default_domain_name',
      'domain_id',
      'domain_name',
      'password',
      'project_domain_id',
      'project_domain_name',
      'project_id',
      'project_name',
      'system_scope',
      'trust_id',
      'user_domain_id',
      'user_domain_name',
      'user_id',
      'username',
    ],
    ...clientOf('Keystone'),
  },

  {
    group: 'network',
    names: ['driver', 'driver_name'],
    why: 'Drivers are not loaded by name: the program chooses its networking, and there is no Kuryr.',
  },
  { group: 'neutron', names: ['ovs_bridge'], ...clientOf('Neutron') },
  { group: 'neutron_client', names: clientNames, ...clientOf('Neutron') },
  { group: 'pci', names: ['alias', 'passthrough_whitelist'], reservedFor: 'PCI devices', why: 'No PCI devices are passed to containers.' },
  { group: 'placement_client', names: clientNames, ...clientOf('Placement') },
  {
    group: 'profiler',
    names: [
      'connection_string',
      'enabled',
      'es_doc_type',
      'es_scroll_size',
      'es_scroll_time',
      'filter_error_trace',
      'hmac_keys',
      'sentinel_service_name',
      'socket_timeout',
      'trace_requests',
      'trace_sqlalchemy',
    ],
    why: "Traces are OpenTelemetry's (ZUN_TRACES and its OTEL_ variables), not OSProfiler's.",
  },

  { group: 'quota', names: ['driver'], why: 'Quotas are always counted. In place of NoopQuotaDriver set each of quotas to -1.' },
  {
    group: 'scheduler',
    names: ['available_filters', 'driver'],
    why: 'Filters are part of the program and scheduler.enabledFilters chooses among them; there is one scheduler.',
  },
  { group: 'scheduler', names: ['max_placement_results'], ...clientOf('Placement') },
  { group: 'ssl', names: ['ca_file', 'cert_file', 'ciphers', 'key_file', 'version'], why: tls },
  {
    group: 'volume',
    names: ['driver', 'driver_list', 'fstype', 'timeout_wait_volume_deleted', 'use_multipath', 'volume_dir'],
    ...clientOf('Cinder'),
  },
  {
    group: 'websocket_proxy',
    names: ['cert', 'key', 'ssl_only'],
    why: tls,
  },
  { group: 'zun_client', names: clientNames, why: 'No part calls the API of Zun itself.' },
];
