import type { WorkloadSpec } from '../../container-runtime.ts';
import { type KubePod, mainContainer } from '../kube-object.ts';
import { podContainer } from './pod-container.ts';
import { podFrame } from './pod-frame.ts';
import type { PodSettings } from './pod-settings.ts';

/**
 * The Pod that runs a container, without its owner. Says the same for the specification that the record gives back, which has no
 * bytes and passwords. Fault `invalid`, with field, value and rule, for what Kubernetes can't have. Pure.
 */
export function podOfWorkload(spec: WorkloadSpec, settings: PodSettings): KubePod {
  const container = podContainer(spec, settings, { name: mainContainer, specs: [spec], isInit: false });
  return podFrame(
    spec,
    { kind: 'container', specs: [spec], runtime: spec.runtime, autoRemove: spec.autoRemove, containers: { containers: [container] } },
    settings,
  );
}
