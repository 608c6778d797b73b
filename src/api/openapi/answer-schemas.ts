import {
  flag,
  integer,
  type JsonSchema,
  listOf,
  mapOrNull,
  number,
  numberOrNull,
  objectOf,
  ref,
  text,
  textOrNull,
  textsOrNull,
} from './json-schema.ts';

const links = listOf(ref('Link'));
/** Fields that the default policy shows to administrators only. */
const adminFields = ['image_pull_policy', 'host', 'runtime', 'privileged'];

const addresses: JsonSchema = { type: ['object', 'null'], patternProperties: { '': listOf(ref('Address')) } };
const restartPolicy: JsonSchema = {
  type: ['object', 'null'],
  properties: { Name: text, MaximumRetryCount: text },
  additionalProperties: false,
};

const containerFields: Record<string, JsonSchema> = {
  uuid: text,
  name: textOrNull,
  project_id: textOrNull,
  user_id: textOrNull,
  image: textOrNull,
  cpu: numberOrNull,
  cpu_policy: textOrNull,
  memory: textOrNull,
  command: textsOrNull,
  status: textOrNull,
  status_reason: textOrNull,
  task_state: textOrNull,
  environment: mapOrNull,
  workdir: textOrNull,
  auto_remove: { type: ['boolean', 'null'] },
  ports: { type: ['array', 'null'], items: integer },
  hostname: textOrNull,
  labels: mapOrNull,
  addresses,
  image_pull_policy: textOrNull,
  host: textOrNull,
  restart_policy: restartPolicy,
  status_detail: textOrNull,
  interactive: { type: ['boolean', 'null'] },
  tty: { type: ['boolean', 'null'] },
  image_driver: textOrNull,
  security_groups: textsOrNull,
  runtime: textOrNull,
  disk: { type: ['integer', 'null'] },
  auto_heal: { type: ['boolean', 'null'] },
  privileged: { type: ['boolean', 'null'] },
  healthcheck: mapOrNull,
  registry_id: textOrNull,
  entrypoint: textsOrNull,
  created_at: textOrNull,
  updated_at: textOrNull,
};

const capsuleFields: Record<string, JsonSchema> = {
  uuid: text,
  links,
  name: textOrNull,
  project_id: textOrNull,
  user_id: textOrNull,
  cpu: numberOrNull,
  memory: textOrNull,
  status: textOrNull,
  status_reason: textOrNull,
  labels: mapOrNull,
  addresses,
  restart_policy: restartPolicy,
  annotations: mapOrNull,
  host: textOrNull,
  created_at: textOrNull,
  updated_at: textOrNull,
  containers: listOf(ref('CapsuleContainer')),
  init_containers: listOf(ref('CapsuleContainer')),
};

/** A capsule as it is shown before 1.32. */
function oldCapsule(): JsonSchema {
  const { name, labels, restart_policy: _, ...rest } = capsuleFields;
  const own = {
    meta_name: name ?? {},
    meta_labels: labels ?? {},
    restart_policy: text,
    volumes_info: { type: 'object' },
    capsule_version: text,
  };
  const uuids = { containers_uuids: listOf(text), init_containers_uuids: listOf(text) };
  return objectOf({ ...rest, ...own, ...uuids }, ['host', 'restart_policy']);
}

const version = objectOf({ id: text, links: listOf(ref('Link')), status: text, max_version: text, min_version: text });
const quota = { containers: integer, memory: integer, cpu: integer, disk: integer };
const usage = objectOf({ limit: integer, in_use: number });
const action = {
  action: textOrNull,
  container_uuid: textOrNull,
  request_id: textOrNull,
  user_id: textOrNull,
  project_id: textOrNull,
  start_time: textOrNull,
  finish_time: textOrNull,
  message: textOrNull,
};
const event = objectOf({ event: textOrNull, start_time: textOrNull, finish_time: textOrNull, result: textOrNull, traceback: textOrNull });
const networkOfContainer = { net_id: text, port_id: textOrNull };
const fixedIp = { subnet_id: textOrNull, version: integer, ip_address: text };
const registryFields = {
  uuid: text,
  links,
  name: textOrNull,
  project_id: textOrNull,
  user_id: textOrNull,
  domain: textOrNull,
  username: textOrNull,
  password: { type: 'string', description: 'Stars, whatever it is.' },
};

/** A page of a collection: its members, and where the next page is. */
const page = (name: string, component: string): JsonSchema => objectOf({ [name]: listOf(ref(component)), next: textOrNull });

/** What answers hold, by the names that `operation-notes.ts` uses. Members that a policy may hide from some callers are optional. */
export const answerSchemas: Record<string, JsonSchema> = {
  Link: objectOf({ href: text, rel: text, type: text }, ['type']),
  Address: objectOf({ addr: text, version: integer, port: textOrNull, subnet_id: textOrNull, preserve_on_delete: flag }, [
    'port',
    'subnet_id',
    'preserve_on_delete',
  ]),
  Versions: objectOf({ name: text, description: text, versions: listOf(version), default_version: version }),
  Version: { type: 'object', properties: { id: text, links: listOf(ref('Link')) }, required: ['id', 'links', 'media_types', 'containers'] },
  // Lists leave the links out.
  Container: objectOf({ ...containerFields, links }, ['links', ...adminFields]),
  CapsuleContainer: objectOf(containerFields, adminFields),
  ContainerPage: page('containers', 'Container'),
  Capsule: objectOf(capsuleFields, ['host']),
  CapsulePage: page('capsules', 'Capsule'),
  OldCapsule: oldCapsule(),
  OldCapsulePage: page('capsules', 'OldCapsule'),
  ContainerNetworks: objectOf({ networks: listOf(objectOf({ ...networkOfContainer, fixed_ips: listOf(objectOf(fixedIp)) })) }),
  OldContainerNetworks: objectOf({ networks: listOf(objectOf({ ...networkOfContainer, ...fixedIp })) }),
  Action: objectOf({ ...action, events: listOf(event) }),
  Actions: objectOf({ containerActions: listOf(objectOf(action)) }),
  Archive: objectOf({ data: text, stat: objectOf({ name: text, size: integer, mode: integer, mtime: text, linkTarget: text }) }),
  Execution: objectOf({ output: textOrNull, exit_code: { type: ['integer', 'null'] }, exec_id: textOrNull, proxy_url: textOrNull }),
  Processes: objectOf({ Titles: listOf(text), Processes: listOf(listOf(text)) }),
  Stats: objectOf({
    CONTAINER: textOrNull,
    'CPU %': number,
    'MEM USAGE(MiB)': number,
    'MEM LIMIT(MiB)': number,
    'MEM %': number,
    'BLOCK I/O(B)': text,
    'NET I/O(B)': text,
  }),
  CommittedImage: objectOf({ uuid: text }),
  Image: objectOf({
    uuid: textOrNull,
    links,
    image_id: textOrNull,
    project_id: textOrNull,
    repo: textOrNull,
    tag: textOrNull,
    size: textOrNull,
    host: textOrNull,
  }),
  ImagePage: page('images', 'Image'),
  // What a registry says of them beside their names is the registry's.
  FoundImages: listOf({
    type: 'object',
    properties: {
      name: text,
      description: textOrNull,
      is_automated: flag,
      metadata: objectOf({ is_official: flag, star_count: integer }),
    },
    required: ['name'],
  }),
  Network: objectOf({
    uuid: text,
    project_id: textOrNull,
    user_id: textOrNull,
    name: textOrNull,
    network_id: textOrNull,
    neutron_net_id: textOrNull,
  }),
  Host: objectOf({
    uuid: text,
    links,
    hostname: text,
    mem_total: integer,
    mem_used: integer,
    total_containers: integer,
    cpus: integer,
    cpu_used: number,
    architecture: textOrNull,
    os_type: textOrNull,
    os: textOrNull,
    kernel_version: textOrNull,
    labels: mapOrNull,
    disk_total: integer,
    disk_used: integer,
    disk_quota_supported: flag,
    runtimes: textsOrNull,
    enable_cpu_pinning: flag,
  }),
  HostPage: page('hosts', 'Host'),
  AvailabilityZonePage: objectOf({ availability_zones: listOf(objectOf({ availability_zone: textOrNull })), next: textOrNull }),
  Quotas: objectOf(quota),
  QuotasAndUsage: objectOf({ containers: usage, memory: usage, cpu: usage, disk: usage }),
  Registry: objectOf({ registry: objectOf(registryFields) }),
  RegistryPage: objectOf({ registries: listOf(objectOf(registryFields, ['links'])), next: textOrNull }),
  Services: objectOf({
    services: listOf(
      objectOf({
        id: integer,
        host: textOrNull,
        binary: textOrNull,
        disabled: flag,
        disabled_reason: textOrNull,
        last_seen_up: textOrNull,
        forced_down: flag,
        report_count: integer,
        availability_zone: textOrNull,
        created_at: textOrNull,
        updated_at: textOrNull,
        state: { type: 'string', enum: ['up', 'down'] },
      }),
    ),
  }),
  ServiceSwitch: objectOf({ service: objectOf({ host: text, binary: text, disabled: flag, disabled_reason: textOrNull }) }),
  ServiceForcedDown: objectOf({ service: objectOf({ host: text, binary: text, forced_down: flag }) }),
  Text: text,
  Nothing: { type: 'null' },
};
