import { isFault } from '../runtime-fault.ts';

/**
 * Whether a stop or restart met a process that ended by itself between the engine's look and its SIGKILL: Podman calls that a failure
 * (`sending SIGKILL to container …: container state improper: stopped`), and does what was asked when it is asked again.
 */
export function endedMeanwhile(error: unknown): boolean {
  return isFault(error, 'conflict') && /^sending SIG\w+ to container .*state improper/i.test(error.message);
}
