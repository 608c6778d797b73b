import type { V1ContainerState } from '@kubernetes/client-node';
import { isStartError } from './container-end.ts';
import { startWords } from './start-words.ts';

/** Why the process of a container could not be started, from its state or the one before; `null` when nothing says so. Pure. */
export function startFailure({ waiting, terminated }: V1ContainerState): string | null {
  if (terminated && isStartError(terminated)) return startWords(terminated.message ?? '') || terminated.reason || 'StartError';
  if (waiting?.reason === 'RunContainerError' || waiting?.reason === 'CreateContainerError') {
    return startWords(waiting.message ?? '') || waiting.reason;
  }
  return waiting?.reason === 'CreateContainerConfigError' ? waiting.message || waiting.reason : null;
}
