import type { Settings } from './settings.ts';

/** Settings that are fine alone and not together. */
export interface SettingConflict {
  /** The keys that could be changed. */
  keys: readonly [string, ...string[]];
  words: string;
}

/** What no single setting's rule can tell. */
export function settingConflicts({ limits, containers, scheduler, agent }: Settings): SettingConflict[] {
  const conflicts: SettingConflict[] = [];
  const ordered = (least: string, low: number, most: string, high: number) => {
    if (low > high)
      conflicts.push({ keys: [least, most], words: `${least} is ${low} and ${most} is ${high}: the least may not be above the most` });
  };
  ordered('limits.minimumCpus', limits.minimumCpus, 'limits.maximumCpus', limits.maximumCpus);
  ordered('limits.minimumMemoryMiB', limits.minimumMemory, 'limits.maximumMemoryMiB', limits.maximumMemory);
  ordered('limits.minimumDiskGiB', limits.minimumDisk, 'limits.maximumDiskGiB', limits.maximumDisk);
  if (!containers.imageDrivers.includes(containers.defaultImageDriver)) {
    conflicts.push({
      keys: ['containers.defaultImageDriver', 'containers.imageDrivers'],
      words: `containers.defaultImageDriver is '${containers.defaultImageDriver}': one of containers.imageDrivers (${containers.imageDrivers.join(', ')}) is wanted`,
    });
  }
  if (agent.reportIntervalSeconds >= scheduler.serviceDownTimeSeconds) {
    conflicts.push({
      keys: ['scheduler.serviceDownSeconds', 'agent.reportIntervalSeconds'],
      words:
        `scheduler.serviceDownSeconds is ${scheduler.serviceDownTimeSeconds} and agent.reportIntervalSeconds is ` +
        `${agent.reportIntervalSeconds}: a node would be down between two signs of life`,
    });
  }
  return conflicts;
}
