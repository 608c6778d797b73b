import type { CoreV1Event } from '@kubernetes/client-node';
import type { Clock } from '../../telemetry/clock.ts';
import { withDeadline } from '../../telemetry/with-deadline.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import { createOnce } from './client/create-once.ts';
import type { KubeClient } from './client/kube-client.ts';
import { KubeError } from './client/kube-error.ts';
import { kubePaths } from './client/kube-paths.ts';
import { listObjects } from './client/list-objects.ts';
import { watchObjects } from './client/watch-objects.ts';
import type { KubePod } from './kube-object.ts';
import { heldPodWords, unendedPodWords } from './state/held-pod-words.ts';
import { type PodWait, podObstacle } from './state/pod-obstacle.ts';
import { hasEnded } from './state/pod-phase.ts';
import { noSuchWorkload, type WorkloadPlace } from './workload-place.ts';

/** A Pod that is looked at is asked for anew so often, whatever its watch says. */
const watching = { relistMilliseconds: 20_000, idleMilliseconds: 90_000 };
/** Longest that a Pod may take to end, or to go, after it was told to, besides its grace period. */
const endingMilliseconds = 50_000;

/** The Pods of workloads: read, changed, waited for. */
export class WorkloadPods {
  readonly #client: KubeClient;
  readonly #clock: Clock;

  constructor(client: KubeClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** `null` when there is none. */
  async find(place: WorkloadPlace, signal?: AbortSignal): Promise<KubePod | null> {
    try {
      return await this.#client.request<KubePod>({ method: 'GET', path: kubePaths.pod(place.namespace, place.name), signal });
    } catch (error) {
      if (error instanceof KubeError && error.status === 404) return null;
      throw error;
    }
  }

  /** What stands in the Pod's way, from its events; `null` where they say nothing, or this service may not read them. */
  async obstacle({ namespace, name }: WorkloadPlace, wait: PodWait, signal?: AbortSignal): Promise<string | null> {
    const query = { fieldSelector: `involvedObject.kind=Pod,involvedObject.name=${name}` };
    try {
      return podObstacle((await listObjects<CoreV1Event>(this.#client, kubePaths.events(namespace), query, signal)).items, wait);
    } catch (error) {
      if (error instanceof KubeError) return null;
      throw error;
    }
  }

  /** `null` when a Pod of that name exists. */
  create(place: WorkloadPlace, pod: KubePod, signal?: AbortSignal): Promise<KubePod | null> {
    return createOnce<KubePod>(this.#client, kubePaths.pods(place.namespace), pod, signal);
  }

  async patch(place: WorkloadPlace, body: unknown, signal?: AbortSignal, subresource?: 'resize'): Promise<KubePod> {
    try {
      return await this.#client.request<KubePod>({
        method: 'PATCH',
        path: kubePaths.pod(place.namespace, place.name, subresource),
        body,
        contentType: 'application/strategic-merge-patch+json',
        signal,
      });
    } catch (error) {
      if (error instanceof KubeError && error.status === 404) throw noSuchWorkload(place.uuid);
      throw error;
    }
  }

  /**
   * Looks at the Pod now and after each change, until `judge` answers something other than `null`; it is given `null` where there is no
   * Pod. `seen` is what the server has just told of the Pod, if anything: then that is the first look, and nobody has to ask. That it is
   * gone is believed of its own last event; a list without it, and the end of another Pod, only make it asked for by name. Rejects with the
   * signal's reason when that aborts.
   */
  async until<T>(
    place: WorkloadPlace,
    judge: (pod: KubePod | null) => T | null,
    signal: AbortSignal,
    seen: KubePod | null = null,
  ): Promise<T> {
    const first = seen && judge(seen);
    if (first !== null) return first;
    const from = seen?.metadata?.resourceVersion;
    const events = watchObjects<KubePod>(this.#client, {
      path: kubePaths.pods(place.namespace),
      query: { fieldSelector: `metadata.name=${place.name}` },
      clock: this.#clock,
      signal,
      ...watching,
      ...(from === undefined ? {} : { from }),
    });
    for await (const event of events) {
      const told = event.type === 'listed' ? event.items[0] : event.object;
      const isGone = event.type === 'deleted' && seen !== null && told?.metadata?.uid === seen.metadata?.uid;
      const pod = isGone ? null : event.type === 'deleted' || !told ? await this.find(place, signal) : told;
      const answer = judge(pod);
      if (answer !== null) return answer;
    }
    signal.throwIfAborted();
    throw new RuntimeFault('unreachable', `The watch of Pod ${place.namespace}/${place.name} ended.`);
  }

  /**
   * Waits until the Pod that was told to end, with so many seconds' grace, has, or is gone. One that goes on is a `timeout` that names its
   * node.
   */
  async untilEnded(place: WorkloadPlace, told: KubePod, graceSeconds: number, signal?: AbortSignal): Promise<void> {
    const isOver = (pod: KubePod | null) => pod === null || pod.metadata?.uid !== told.metadata?.uid || hasEnded(pod);
    await this.#untilOver(place, told, isOver, { graceSeconds, words: unendedPodWords, signal });
  }

  /** Has the Pod end within the grace period and waits until it is gone. A Pod that stays is a `timeout` that says what holds it. */
  async remove(
    place: WorkloadPlace,
    graceSeconds: number,
    signal?: AbortSignal,
    whenTold?: (pod: KubePod) => Promise<void>,
  ): Promise<void> {
    await this.#remove(place, { gracePeriodSeconds: graceSeconds }, signal, whenTold);
  }

  /** The same, but only while the Pod is as it was seen; `false` when it has changed since. */
  async removeUnchanged(place: WorkloadPlace, seen: KubePod, graceSeconds: number, signal?: AbortSignal): Promise<boolean> {
    const { uid, resourceVersion } = seen.metadata ?? {};
    try {
      await this.#remove(place, { gracePeriodSeconds: graceSeconds, preconditions: { uid, resourceVersion } }, signal);
      return true;
    } catch (error) {
      if (error instanceof KubeError && error.status === 409) return false;
      throw error;
    }
  }

  async #remove(
    place: WorkloadPlace,
    options: { gracePeriodSeconds: number; preconditions?: object },
    signal?: AbortSignal,
    whenTold?: (pod: KubePod) => Promise<void>,
  ): Promise<void> {
    const path = kubePaths.pod(place.namespace, place.name);
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background', ...options };
    let going: KubePod;
    try {
      going = await this.#client.request<KubePod>({ method: 'DELETE', path, body, signal });
    } catch (error) {
      if (error instanceof KubeError && error.status === 404) return;
      throw error;
    }
    if (isGoneAtOnce(going)) return;
    await whenTold?.(going);
    const isGone = (pod: KubePod | null) => pod === null || pod.metadata?.uid !== going.metadata?.uid;
    await this.#untilOver(place, going, isGone, { graceSeconds: options.gracePeriodSeconds, words: heldPodWords, signal });
  }

  async #untilOver(
    place: WorkloadPlace,
    told: KubePod,
    isOver: (pod: KubePod | null) => boolean,
    { graceSeconds, words, signal }: { graceSeconds: number; words: (pod: KubePod) => string; signal: AbortSignal | undefined },
  ): Promise<void> {
    let last = told;
    const judge = (pod: KubePod | null) => {
      if (isOver(pod)) return true;
      last = pod ?? last;
      return null;
    };
    await withDeadline(this.#clock, endingMilliseconds + graceSeconds * 1000, async (deadline) => {
      const both = signal ? AbortSignal.any([signal, deadline]) : deadline;
      await this.until(place, judge, both, told).catch((error) => {
        throw signal?.aborted || !deadline.aborted ? error : new RuntimeFault('timeout', words(last));
      });
    });
  }
}

/** Of what the server answers to a DELETE: of a Pod that has ended, or that no node has taken, it makes the grace period nothing, and is done. */
const isGoneAtOnce = ({ metadata }: KubePod): boolean =>
  metadata?.deletionGracePeriodSeconds === 0 && (metadata.finalizers?.length ?? 0) === 0;
