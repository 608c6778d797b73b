import type { KubePod } from '../kube-object.ts';
import { instant } from './instant.ts';
import { hasEnded } from './pod-phase.ts';

/** So long after its grace period a Pod that its node should have ended counts as out of reach. */
const patienceMilliseconds = 60_000;

/**
 * Why nobody can tell how a Pod is, naming its node; `null` while its kubelet tells. `now`: epoch milliseconds. Pure.
 *
 * Of a node that is silent the control plane makes Pods not ready, and touches nothing else (Kubernetes'
 * `pkg/controller/util/node`, MarkPodsNotReady): the reason, which a kubelet always gives, is missing, and the containers are ready.
 */
export function lostNodeWords(pod: KubePod, now: number): string | null {
  const { phase, reason, message, conditions = [] } = pod.status ?? {};
  const node = `Node ${pod.spec?.nodeName ?? '(none yet)'}`;
  if (phase === 'Unknown' || reason === 'NodeLost') return message?.trim() || `${node} does not answer.`;
  if (hasEnded(pod)) return null;
  const condition = (type: string) => conditions.find((one) => one.type === type);
  const ready = condition('Ready');
  const silent = ready?.status === 'False' && !ready.reason && condition('ContainersReady')?.status === 'True';
  if (silent || ready?.status === 'Unknown' || ready?.reason === 'NodeStatusUnknown') return `${node} does not answer.`;
  const lost = lostAt(pod);
  if (lost === null || now < lost) return null;
  return `${node} has not ended the Pod, which was due at ${new Date(lost - patienceMilliseconds).toISOString()}.`;
}

/** When a Pod that its node is to end counts as out of reach, should it still be there; `null` for any other. Pure. */
export function lostAt(pod: KubePod): number | null {
  const due = instant(pod.metadata?.deletionTimestamp);
  return due === null || hasEnded(pod) || !mayRun(pod) ? null : due + patienceMilliseconds;
}

/** What its kubelet never took is not known to have ended either. */
function mayRun({ spec, status }: KubePod): boolean {
  const statuses = status?.containerStatuses ?? [];
  return spec?.nodeName !== undefined && (statuses.length === 0 || statuses.some(({ state }) => !state?.terminated));
}
