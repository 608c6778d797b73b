import type { V1ContainerState } from '@kubernetes/client-node';
import { instant } from './instant.ts';
import { startWords } from './start-words.ts';

/**
 * Why the process of a container could not be started, from its state or the one before; `null` when nothing says so. Pure.
 */
export function startFailure({ waiting, terminated }: V1ContainerState): string | null {
  if (terminated && isStartError(terminated)) return startWords(terminated.message ?? '') || terminated.reason || 'StartError';
  if (waiting?.reason === 'RunContainerError' || waiting?.reason === 'CreateContainerError')
    return startWords(waiting.message ?? '') || waiting.reason;
  return waiting?.reason === 'CreateContainerConfigError' ? waiting.message || waiting.reason : null;
}

/** Whether the process of an ended container was ever there. */
export function isStartError({ reason, startedAt, exitCode }: NonNullable<V1ContainerState['terminated']>): boolean {
  // 128 is the kubelet's code for it. A container that was lost has no start either, but did run.
  return reason === 'StartError' || reason === 'ContainerCannotRun' || (exitCode === 128 && instant(startedAt) === null);
}
