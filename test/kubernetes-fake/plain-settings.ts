import type { CapsuleSpec } from '../../src/runtime/container-runtime.ts';
import type { KubernetesSettings } from '../../src/runtime/kubernetes/kubernetes-settings.ts';
import type { PodSettings } from '../../src/runtime/kubernetes/pod/pod-settings.ts';
import { plainWorkload } from '../../src/runtime/plain-workload.ts';

/** Settings of the runtime in tests that ask for nothing special. */
export const plainSettings: KubernetesSettings = {
  instance: 'zun',
  namespacePrefix: 'zun-',
  stopGraceSeconds: 10,
  pullDeadlineSeconds: 60,
  runtimeClasses: {},
  defaultRuntimeClass: null,
  allocationRatios: { cpu: 16, memory: 1.5 },
  splitsLogStreams: false,
  networkNamespace: '',
  networkDeadlineSeconds: 60,
};

/** The same for the Pods of one project. */
export const plainPodSettings: PodSettings = {
  instance: plainSettings.instance,
  namespace: 'zun-p',
  stopGraceSeconds: plainSettings.stopGraceSeconds,
  runtimeClasses: plainSettings.runtimeClasses,
  defaultRuntimeClass: plainSettings.defaultRuntimeClass,
  allocationRatios: plainSettings.allocationRatios,
};

/** A capsule of one container, that runs once. */
export function plainCapsule(wishes: Partial<CapsuleSpec> = {}): CapsuleSpec {
  return {
    uuid: 'c',
    projectId: 'p',
    host: null,
    hostname: null,
    labels: {},
    restartPolicy: { name: 'no', maximumRetryCount: 0 },
    networks: [],
    initContainers: [],
    containers: [plainWorkload({ uuid: 'm', image: 'm:1' })],
    ...wishes,
  };
}
