import type { KubePod } from '../kube-object.ts';
import { heldWords } from './held-words.ts';
import { instant } from './instant.ts';
import { hasEnded } from './pod-phase.ts';

/** Why a Pod that was told to go is still there, in words for an operator: who has to clear its finalizers, or which node is to end it. Pure. */
export function heldPodWords(pod: KubePod): string {
  const { namespace, name, finalizers = [] } = pod.metadata ?? {};
  const what = `Pod ${namespace}/${name}`;
  if (finalizers.length > 0) return heldWords(what, finalizers);
  const node = pod.spec?.nodeName ?? 'no node';
  return `${what} was told to go and is still there: the kubelet of ${node} has not ended it. When the node is back, or its Node object is removed, delete again.`;
}

/** Why a Pod that was told to end in place goes on, as far as anybody can tell. Pure. */
export function unendedPodWords({ metadata, spec }: KubePod): string {
  const told = `Pod ${metadata?.namespace}/${metadata?.name} was told to end and has not`;
  return `${told}: the kubelet of ${spec?.nodeName ?? 'no node'} does not answer, or takes too long. It ends as soon as the node is back.`;
}

/** So long after its time a Pod whose containers have ended counts as held: kubelets take a second or two. */
const patienceMilliseconds = 10_000;

/** The same of a Pod that has ended and should have been gone by `now` (epoch milliseconds); '' of any other. Pure. */
export function overdueWords(pod: KubePod, now: number): string {
  const overdue = overdueAt(pod);
  return overdue !== null && now >= overdue ? heldPodWords(pod) : '';
}

/** When a Pod that has ended and was told to go should have gone; `null` of any other. Pure. */
export function overdueAt(pod: KubePod): number | null {
  const due = instant(pod.metadata?.deletionTimestamp);
  return due !== null && hasEnded(pod) ? due + patienceMilliseconds : null;
}
