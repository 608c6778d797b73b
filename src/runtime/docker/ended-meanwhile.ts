import { isFault } from '../runtime-fault.ts';

/**
 * Whether a stop or restart met a process that ended by itself between the engine's look and its SIGKILL: Podman calls that a failure
 * (`sending SIGKILL to container …: container state improper: stopped`), and does what was asked when it is asked again.
 */
export function endedMeanwhile(error: unknown): boolean {
  return isFault(error, 'conflict') && /^sending SIG\w+ to container .*state improper/i.test(error.message);
}

/**
 * Whether files were asked for while the engine took a workload's filesystem away, since its process had just ended: Podman then has it mounted,
 * and not any more when it goes there (`changing to intended-new-root directory …: no such file or directory`). Asked again, it mounts it again.
 */
export function unmountedMeanwhile(error: unknown): boolean {
  return isFault(error, 'failed') && /intended-new-root directory .*no such file or directory/is.test(error.message);
}
