import type { CapsuleSpec, WorkloadSpec } from '../../container-runtime.ts';
import { RuntimeFault } from '../../runtime-fault.ts';
import { type KubePod, workloadName } from '../kube-object.ts';
import { podContainer } from './pod-container.ts';
import { podFrame } from './pod-frame.ts';
import type { PodSettings } from './pod-settings.ts';

/**
 * The Pod that is a capsule, as `podOfWorkload`: its restart policy, hostname and networks are the capsule's, for Kubernetes knows those
 * of Pods only.
 */
export function podOfCapsule(spec: CapsuleSpec, settings: PodSettings): KubePod {
  const specs = [...spec.initContainers, ...spec.containers];
  const container = (isInit: boolean) => (member: WorkloadSpec) =>
    podContainer(member, settings, { name: workloadName(member.uuid), specs, isInit });
  const initContainers = spec.initContainers.map(container(true));
  return podFrame(
    spec,
    {
      kind: 'capsule',
      specs,
      runtime: commonRuntime(specs),
      autoRemove: false,
      members: Object.fromEntries(specs.map(({ uuid }) => [workloadName(uuid), uuid])),
      containers: { ...(initContainers.length === 0 ? {} : { initContainers }), containers: spec.containers.map(container(false)) },
    },
    settings,
  );
}

/** Containers that ask for none take the others'. */
function commonRuntime(specs: WorkloadSpec[]): string | null {
  const runtimes = new Set(specs.flatMap(({ runtime }) => (runtime === null ? [] : [runtime])));
  if (runtimes.size > 1) {
    const words = `Invalid value '${[...runtimes].join("', '")}' for runtime: all containers of a capsule have the same.`;
    throw new RuntimeFault('invalid', words);
  }
  return [...runtimes][0] ?? null;
}
