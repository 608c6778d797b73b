import type { Clock } from '../../telemetry/clock.ts';
import type { RuntimeEvent, StreamHappening, WorkloadObservation } from '../container-runtime.ts';
import type { KubeClient } from './client/kube-client.ts';
import { kubePaths } from './client/kube-paths.ts';
import { watchObjects } from './client/watch-objects.ts';
import type { WatchHappening } from './client/watch-options.ts';
import { type KubePod, labels } from './kube-object.ts';
import { podObservations } from './state/pod-observations.ts';

/** A watch is thought dead after so long without a byte; bookmarks come about once a minute. */
const idleMilliseconds = 150_000;

/**
 * Changes of Zun's Pods as far as their state and the addresses of what runs are concerned, from one watch, until the signal aborts. A
 * kubelet writes a Pod's status several times a start; what says nothing new is not told. Throws when the watch cannot go on from where it was.
 */
export async function* podEvents(
  client: KubeClient,
  clock: Clock,
  instance: string,
  signal: AbortSignal,
  told?: (happening: StreamHappening) => void,
): AsyncGenerator<RuntimeEvent> {
  const seen = new Map<string, string>();
  const events = watchObjects<KubePod>(client, {
    path: kubePaths.pods(),
    query: { labelSelector: `${labels.instance}=${instance},${labels.workload}` },
    clock,
    signal,
    listAtStart: false,
    relistMilliseconds: Number.POSITIVE_INFINITY,
    idleMilliseconds,
    observer: (happening) => {
      const met = streamHappenings[happening];
      if (met) told?.(met);
    },
  });
  for await (const event of events) {
    if (event.type === 'listed') continue;
    for (const observation of podObservations(event.object, clock.now())) {
      const { uuid } = observation;
      const before = seen.get(uuid);
      const now = event.type === 'deleted' ? 'gone' : stateText(observation);
      if (event.type === 'deleted') seen.delete(uuid);
      else seen.set(uuid, now);
      for (const action of actionsBetween(before, now)) yield { uuid, action, at: clock.now() };
    }
  }
}

/** Events of Pods are told as such. */
const streamHappenings: Partial<Record<WatchHappening, StreamHappening>> = {
  begun: 'opened',
  connected: 'connected',
  bookmark: 'alive',
  ended: 'disconnected',
  silent: 'disconnected',
  failed: 'disconnected',
  expired: 'expired',
};

/** A network may come and go while a workload runs; the addresses of what is about to run come with its start. */
function stateText({ state, addresses }: WorkloadObservation): string {
  const of = state.status === 'running' ? JSON.stringify(addresses) : '';
  return [state.status, state.startedAt, state.finishedAt, state.exitCode, state.health, state.error, of].join(' ');
}

/** Docker's words for what happened between two looks: a process that was never seen running has started all the same. */
function actionsBetween(before: string | undefined, now: string): string[] {
  if (before === now) return [];
  const [was, wasStarted] = (before ?? '').split(' ');
  if (now === 'gone') return ['destroy'];
  const [is, isStarted] = now.split(' ');
  const started = isStarted !== '' && isStarted !== wasStarted ? ['start'] : [];
  if (is === 'paused' && was !== 'paused') return [...started, 'pause'];
  if (was === 'paused' && is === 'running') return ['unpause'];
  if (is === 'exited' && was !== 'exited') return [...started, 'die'];
  return started.length > 0 ? started : ['update'];
}
