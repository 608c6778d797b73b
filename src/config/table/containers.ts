import type { SettingRow } from '../setting-row.ts';
import type { ValueRule } from '../value-rule.ts';
import { positive } from './rules.ts';

const cores: ValueRule = { type: 'number', above: 0 };
const quota: ValueRule = { type: 'number', whole: true, minimum: -1 };
const imageDrivers = ['glance', 'docker'];

/** What containers are given, and how many there may be. */
export const containersRows: readonly SettingRow[] = [
  {
    key: 'containers.defaultCpu',
    fields: ['containers.defaultCpu'],
    rule: cores,
    says: 'Cores of a container that names none.',
    replaces: ['DEFAULT/default_cpu'],
  },
  {
    key: 'containers.defaultMemoryMiB',
    fields: ['containers.defaultMemoryMiB'],
    rule: positive,
    says: 'Memory of a container that names none.',
    replaces: ['DEFAULT/default_memory'],
  },
  {
    key: 'containers.imageDrivers',
    fields: ['containers.imageDrivers', 'limits.imageDrivers'],
    rule: { type: 'list', oneOf: imageDrivers },
    says: 'Where images may come from.',
    replaces: ['DEFAULT/image_driver_list'],
  },
  {
    key: 'containers.defaultImageDriver',
    fields: ['containers.defaultImageDriver'],
    rule: { type: 'text', oneOf: imageDrivers },
    says: 'Where an image comes from when the request does not say.',
    replaces: ['DEFAULT/default_image_driver'],
  },
  {
    key: 'containers.defaultImagePullPolicy',
    fields: ['containers.defaultImagePullPolicy'],
    rule: { type: 'text', oneOf: ['always', 'ifnotpresent', 'never'] },
    says: 'Whether an image is pulled when the request does not say.',
    usually: 'ifnotpresent in standalone, else always',
  },
  {
    key: 'containers.defaultRegistry',
    fields: ['containers.defaultRegistry'],
    rule: { type: 'text', pattern: /^\S*$/, wanted: "host:port, or ''" },
    says: "Put before names of images without a host; '' leaves that to the engine.",
    replaces: ['docker/default_registry'],
    variable: 'ZUN_DEFAULT_REGISTRY',
  },
  {
    key: 'containers.execTimeoutSeconds',
    fields: ['containers.execTimeoutSeconds'],
    rule: positive,
    says: 'So long a command that is not interactive may run (exec).',
    replaces: ['docker/execute_timeout'],
  },
  {
    key: 'containers.stopGraceSeconds',
    fields: ['containers.stopGraceSeconds'],
    rule: { type: 'number', whole: true, minimum: 0 },
    says: 'So long a stop waits before it kills, when the request does not say.',
  },
  {
    key: 'containers.uniqueNames',
    fields: ['containers.uniqueNameScope'],
    rule: { type: 'text', oneOf: ['none', 'project', 'global'] },
    says: 'Where two containers may not have the same name.',
    replaces: ['compute/unique_container_name_scope'],
    words: { '': 'none' },
  },
  {
    key: 'limits.minimumCpus',
    fields: ['limits.minimumCpus'],
    rule: cores,
    says: 'The fewest cores that a request may ask for.',
    replaces: ['DEFAULT/minimum_cpus'],
  },
  {
    key: 'limits.maximumCpus',
    fields: ['limits.maximumCpus'],
    rule: cores,
    says: 'The most cores that a request may ask for.',
    replaces: ['DEFAULT/maximum_cpus'],
  },
  {
    key: 'limits.minimumMemoryMiB',
    fields: ['limits.minimumMemory'],
    rule: positive,
    says: 'The least memory that a request may ask for.',
    replaces: ['DEFAULT/minimum_memory'],
  },
  {
    key: 'limits.maximumMemoryMiB',
    fields: ['limits.maximumMemory'],
    rule: positive,
    says: 'The most memory that a request may ask for.',
    replaces: ['DEFAULT/maximum_memory'],
  },
  {
    key: 'limits.minimumDiskGiB',
    fields: ['limits.minimumDisk'],
    rule: positive,
    says: 'The smallest disk that a request may ask for.',
    replaces: ['DEFAULT/minimum_disk'],
  },
  {
    key: 'limits.maximumDiskGiB',
    fields: ['limits.maximumDisk'],
    rule: positive,
    says: 'The largest disk that a request may ask for.',
    replaces: ['DEFAULT/maximum_disk'],
  },
  {
    key: 'quotas.containers',
    fields: ['containers.quotaDefaults.containers'],
    rule: quota,
    says: 'Containers and capsules of a project without a quota of its own; -1: no limit.',
    replaces: ['quota/containers'],
  },
  {
    key: 'quotas.cpus',
    fields: ['containers.quotaDefaults.cpu'],
    rule: quota,
    says: 'Cores of a project without a quota of its own; -1: no limit.',
    replaces: ['quota/cpu'],
  },
  {
    key: 'quotas.memoryMiB',
    fields: ['containers.quotaDefaults.memory'],
    rule: quota,
    says: 'Memory of a project without a quota of its own; -1: no limit.',
    replaces: ['quota/memory'],
  },
  {
    key: 'quotas.diskGiB',
    fields: ['containers.quotaDefaults.disk'],
    rule: quota,
    says: 'Disk of a project without a quota of its own; -1: no limit.',
    replaces: ['quota/disk'],
  },
];
