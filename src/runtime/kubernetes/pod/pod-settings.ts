import type { KubernetesSettings } from '../kubernetes-settings.ts';

/** What the rules that write Pods need to know besides the specification. */
export interface PodSettings {
  /** Name of this installation; see `labels.instance`. */
  instance: string;
  /** The project's. */
  namespace: string;
  /** Seconds between SIGTERM and SIGKILL; Kubernetes fixes them when the Pod is made. */
  stopGraceSeconds: number;
  /** RuntimeClass by the runtime's name in Zun. */
  runtimeClasses: Record<string, string>;
  /** RuntimeClass of containers that ask for no runtime; `null` = the cluster's own default. */
  defaultRuntimeClass: string | null;
  /** How often cores, memory and disk may be promised: requests are limits divided by these. Disk once, unless said otherwise. */
  allocationRatios: { cpu: number; memory: number; disk?: number };
}

/** Those of a Pod in the namespace. Pure. */
export function podSettings(settings: KubernetesSettings, namespace: string): PodSettings {
  const { instance, stopGraceSeconds, runtimeClasses, defaultRuntimeClass, allocationRatios } = settings;
  return { instance, namespace, stopGraceSeconds, runtimeClasses, defaultRuntimeClass, allocationRatios };
}
