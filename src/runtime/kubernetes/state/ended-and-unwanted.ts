import { annotations, type KubePod } from '../kube-object.ts';
import { hasEnded } from './pod-phase.ts';

/** Whether a container that asked for auto-remove has ended, and is to be removed. Pure. */
export function endedAndUnwanted(pod: KubePod): boolean {
  return pod.metadata?.annotations?.[annotations.autoRemove] === 'true' && hasEnded(pod);
}
