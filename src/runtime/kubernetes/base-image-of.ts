import { annotations, type KubeSecret } from './kube-object.ts';
import type { WorkloadPlace } from './workload-place.ts';
import type { WorkloadRecords } from './workload-records.ts';

/** What a workload's next container is made from: the filesystem that was kept of the one before, or else its image. */
export function baseImageOf(records: WorkloadRecords, record: KubeSecret, place: WorkloadPlace): string {
  const kept = record.metadata?.annotations?.[annotations.keptImage];
  if (kept !== undefined) return kept;
  const recorded = records.specOf(record);
  if (recorded.kind === 'container') return recorded.spec.image;
  const member = [...recorded.spec.initContainers, ...recorded.spec.containers].find(({ uuid }) => uuid === place.uuid);
  return member?.image ?? '';
}
