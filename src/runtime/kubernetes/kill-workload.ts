import { isFault, RuntimeFault } from '../runtime-fault.ts';
import { signalName } from '../signal-name.ts';
import { endInPlace, untilOldEnough } from './end-in-place.ts';
import type { EndingParts } from './ending-parts.ts';
import { resumeIfPaused } from './resume-if-paused.ts';
import { runningContainers } from './running-containers.ts';
import { hasEnded, isGoing } from './state/pod-phase.ts';
import type { WorkloadPlace } from './workload-place.ts';

/** Signals after which Docker does not run a container again, whatever its restart policy. */
const ends = new Set(['KILL', 'TERM']);

/**
 * Sends a signal to the first process. Without node access the image's own `kill` does, which cannot send what that process does not
 * handle; SIGKILL then ends the Pod in place, which takes its grace period.
 */
export async function killWorkload(parts: EndingParts, place: WorkloadPlace, asked: string, signal?: AbortSignal): Promise<void> {
  const name = signalName(asked);
  const pod = await parts.pods.find(place, signal);
  if (!pod) await parts.records.get(place, signal);
  const refs = pod && !hasEnded(pod) && !isGoing(pod) ? runningContainers(pod, place.container) : [];
  if (!pod || refs.length === 0) throw new RuntimeFault('conflict', `Container ${place.uuid} is not running`);
  const { nodeAccess } = parts;
  if (nodeAccess) {
    if (ends.has(name) && pod.spec?.restartPolicy !== 'Never') {
      await untilOldEnough(parts, pod, signal);
      // What is killed before its Pod ends, the kubelet runs again.
      if (name === 'KILL') await Promise.all(refs.map((ref) => nodeAccess.pause(ref, signal).catch(unlessEnded)));
      await endInPlace(parts, place, signal);
    }
    await Promise.all(refs.map((ref) => nodeAccess.kill(ref, name, signal)));
    return resumeIfPaused(parts, nodeAccess, place, pod, signal);
  }
  if (name === 'KILL') return endInPlace(parts, place, signal);
  const { exitCode, output } = await parts.run(place, ['kill', '-s', name, '1'], { signal });
  if (exitCode !== 0) {
    throw new RuntimeFault(
      'unsupported',
      `The image has no kill that could send the signal (${output.toString('utf8').trim()}): use stop.`,
    );
  }
}

function unlessEnded(error: unknown): void {
  if (!isFault(error, 'conflict', 'not-found')) throw error;
}
