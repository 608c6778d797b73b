import type { KubeClient } from './client/kube-client.ts';
import { KubeError } from './client/kube-error.ts';
import { kubePaths } from './client/kube-paths.ts';
import { type KubePod, type KubeSecret, labels } from './kube-object.ts';
import { instant } from './state/instant.ts';

/** Longer than the pull deadline, for clocks that differ and the last calls. Milliseconds. */
const patienceMilliseconds = 120_000;

/** A Pod that brings an image, or its login, whose worker must have died: it would have taken it away itself. `now`: epoch milliseconds. Pure. */
export function isLeftoverPuller({ metadata }: KubePod | KubeSecret, pullDeadlineSeconds: number, now: number): boolean {
  const made = instant(metadata?.creationTimestamp);
  return metadata?.labels?.[labels.kind] === 'puller' && made !== null && now > made + pullDeadlineSeconds * 1000 + patienceMilliseconds;
}

/** Takes such Pods and logins away. What cannot be is tried again with the next listing. */
export async function removeLeftoverPullers(
  client: KubeClient,
  { pods, secrets }: { pods: KubePod[]; secrets: KubeSecret[] },
  signal?: AbortSignal,
): Promise<void> {
  const paths = [
    ...pods.map(({ metadata }) => kubePaths.pod(metadata?.namespace ?? '', metadata?.name ?? '')),
    ...secrets.map(({ metadata }) => kubePaths.secret(metadata?.namespace ?? '', metadata?.name ?? '')),
  ];
  for (const path of paths) {
    try {
      await client.request({ method: 'DELETE', path, signal });
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
    }
  }
}
