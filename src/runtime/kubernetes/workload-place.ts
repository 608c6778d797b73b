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
