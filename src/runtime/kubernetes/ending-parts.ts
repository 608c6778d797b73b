import type { Clock } from '../../telemetry/clock.ts';
import type { KubernetesSettings } from './kubernetes-settings.ts';
import type { NodeAccess } from './node/node-access.ts';
import type { RunInWorkload } from './run-in-workload.ts';
import type { WorkloadPods } from './workload-pods.ts';
import type { WorkloadRecords } from './workload-records.ts';

/** What it takes to end, signal and hold workloads. */
export interface EndingParts {
  records: WorkloadRecords;
  pods: WorkloadPods;
  settings: KubernetesSettings;
  clock: Clock;
  /** `null` where the operator gave the node agents no access to containerd. */
  nodeAccess: NodeAccess | null;
  run: RunInWorkload;
}
