/** What the Kubernetes runtime is told. */
export interface KubernetesSettings {
  /** Name of this installation, so that two Zuns on one cluster leave each other's objects alone. */
  instance: string;
  /** Put before the project's id in the name of its namespace. */
  namespacePrefix: string;
  /** Seconds between SIGTERM and SIGKILL that a Pod is made with. */
  stopGraceSeconds: number;
  /** Longest that a start waits for image, node and process, in seconds. */
  pullDeadlineSeconds: number;
  /** RuntimeClass by the runtime's name in Zun. */
  runtimeClasses: Record<string, string>;
  /** RuntimeClass of containers that ask for no runtime; `null` = the cluster's own default. */
  defaultRuntimeClass: string | null;
  /** How often cores and memory may be promised: requests are limits divided by these. */
  allocationRatios: { cpu: number; memory: number };
  /** Whether nodes tell stdout from stderr in what they logged (feature gate `PodLogsQuerySplitStreams`). */
  splitsLogStreams: boolean;
  /** Namespace of the NetworkAttachmentDefinitions that are networks for all projects; '' = there are none. */
  networkNamespace: string;
  /** Longest that a running Pod waits for an interface to come or to go, in seconds. */
  networkDeadlineSeconds: number;
}
