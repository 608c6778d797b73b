import type { Clock } from '../../telemetry/clock.ts';
import type { KubePod } from './kube-object.ts';
import { instant } from './state/instant.ts';
import type { WorkloadPlace } from './workload-place.ts';
import type { WorkloadPods } from './workload-pods.ts';

/** Counted from the Pod's start. */
const activeDeadlineSeconds = 1;
/** The start is told in whole seconds, and clocks of nodes may be a little off; milliseconds. */
const leeway = 1_300;

/** Has the kubelet end the Pod: SIGTERM, the Pod's grace period, SIGKILL. The Pod stays. */
export async function endInPlace(parts: { pods: WorkloadPods }, place: WorkloadPlace, signal?: AbortSignal): Promise<void> {
  await parts.pods.patch(place, { spec: { activeDeadlineSeconds } }, signal);
}

/**
 * Waits until the Pod is so old that it is over as soon as it is told to end in place. In a younger one the kubelet runs again what has ended
 * (seen: what was killed in its Pod's first second ran anew, until the Pod's grace period was over).
 */
export async function untilOldEnough({ clock }: { clock: Clock }, pod: KubePod, signal?: AbortSignal): Promise<void> {
  const age = activeDeadlineSeconds * 1000 + leeway;
  const remaining = (instant(pod.status?.startTime) ?? 0) + age - clock.now();
  // No longer, should the node's clock be ahead.
  if (remaining > 0) await clock.sleep(Math.min(remaining, age), signal);
  signal?.throwIfAborted();
}
