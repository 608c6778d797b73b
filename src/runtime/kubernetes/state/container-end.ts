import type { V1ContainerStateTerminated, V1ContainerStatus } from '@kubernetes/client-node';
import { instant } from './instant.ts';

/**
 * How a container ended the last time that it ran, or failed to start (`isStartError`); `undefined` when nothing is known. Pure.
 *
 * When a Pod is ended, its kubelet makes an end up, `ContainerStatusUnknown`, for each container that does not run then. Where it has an
 * end before, that one is true; otherwise the container never ran, unless it says that it did.
 */
export function containerEnd({ state, lastState }: V1ContainerStatus): V1ContainerStateTerminated | undefined {
  const end = state?.terminated ?? lastState?.terminated;
  if (end?.reason !== 'ContainerStatusUnknown') return end;
  if (lastState?.terminated) return lastState.terminated;
  return /used to be running/i.test(end.message ?? '') ? end : undefined;
}

/** Whether the end is that of a process that never was. */
export function isStartError({ reason, startedAt, exitCode }: V1ContainerStateTerminated): boolean {
  // 128 is the kubelet's code for it.
  return reason === 'StartError' || reason === 'ContainerCannotRun' || (exitCode === 128 && instant(startedAt) === null);
}
