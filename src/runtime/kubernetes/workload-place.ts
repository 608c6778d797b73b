import { RuntimeFault } from '../runtime-fault.ts';
import { workloadName } from './kube-object.ts';

/** Where a workload is: the Pod that is or would be its, and its container in there. */
export interface WorkloadPlace {
  uuid: string;
  namespace: string;
  /** UUID of the record: the workload's own, or its capsule's. */
  owner: string;
  /** Name of record and Pod. */
  name: string;
  /** Name of the container in the Pod; `null` for a capsule as a whole. */
  container: string | null;
}

/** As Docker says it. */
export const noSuchWorkload = (uuid: string): RuntimeFault => new RuntimeFault('not-found', `No such container: ${workloadName(uuid)}`);
