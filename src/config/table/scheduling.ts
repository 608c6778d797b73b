import { HOST_FILTERS } from '../../rules/host-filters.ts';
import type { SettingRow } from '../setting-row.ts';
import type { ValueRule } from '../value-rule.ts';
import { positive } from './rules.ts';

const ratio: ValueRule = { type: 'number', above: 0 };
const name: ValueRule = { type: 'text', pattern: /^\S.{0,254}$/, wanted: 'a name of at most 255 characters' };

/** Where containers are placed, and what nodes tell of themselves. */
export const schedulingRows: readonly SettingRow[] = [
  {
    key: 'scheduler.enabledFilters',
    fields: ['scheduler.enabledFilters'],
    rule: { type: 'list', oneOf: Object.keys(HOST_FILTERS) },
    says: 'What a host has to pass, in this order.',
    replaces: ['scheduler/enabled_filters'],
  },
  {
    key: 'scheduler.defaultAvailabilityZone',
    fields: ['scheduler.defaultAvailabilityZone'],
    rule: name,
    says: 'The availability zone of this node.',
    replaces: ['DEFAULT/default_availability_zone'],
  },
  {
    key: 'scheduler.defaultScheduleZone',
    fields: ['scheduler.defaultScheduleZone'],
    rule: { ...name, orNull: true },
    says: 'The availability zone of a container that names none. null: any.',
    replaces: ['DEFAULT/default_schedule_zone'],
  },
  {
    key: 'scheduler.serviceDownSeconds',
    fields: ['scheduler.serviceDownTimeSeconds'],
    rule: positive,
    says: 'A node without a sign of life for so long is down; longer than agent.reportIntervalSeconds.',
    replaces: ['DEFAULT/service_down_time'],
  },
  {
    key: 'allocationRatios.cpu',
    fields: ['allocationRatios.cpu'],
    rule: ratio,
    says: 'How often each core of a node may be promised.',
    replaces: ['compute/cpu_allocation_ratio', 'compute/initial_cpu_allocation_ratio'],
  },
  {
    key: 'allocationRatios.memory',
    fields: ['allocationRatios.memory'],
    rule: ratio,
    says: 'How often the memory of a node may be promised.',
    replaces: ['compute/ram_allocation_ratio', 'compute/initial_ram_allocation_ratio'],
  },
  {
    key: 'allocationRatios.disk',
    fields: ['allocationRatios.disk'],
    rule: ratio,
    says: 'How often the disk of a node may be promised.',
    replaces: ['compute/disk_allocation_ratio', 'compute/initial_disk_allocation_ratio'],
  },
  {
    key: 'agent.reportIntervalSeconds',
    fields: ['agent.reportIntervalSeconds'],
    rule: positive,
    says: 'Between two reports of a node. A sign of life comes at least every 60 s.',
    replaces: ['DEFAULT/periodic_interval_max'],
  },
  {
    key: 'agent.imageDiskShare',
    fields: ['agent.imageDiskShare'],
    rule: { type: 'number', minimum: 0, maximum: 1 },
    says: 'The share of the disk of a node that images need: containers are promised the rest.',
    replaces: ['compute/reserve_disk_for_image'],
  },
];
