import type { V1Status } from '@kubernetes/client-node';
import { randomIds } from '../../../telemetry/ids.ts';
import { RuntimeFault } from '../../runtime-fault.ts';
import type { KubeClient } from './kube-client.ts';
import { KubeError } from './kube-error.ts';
import { listObjects } from './list-objects.ts';
import { WatchConnection } from './watch-connection.ts';
import type { WatchEvent, WatchHappening, WatchOptions } from './watch-options.ts';

interface SentEvent<T> {
  type?: string;
  object?: T & { metadata?: { resourceVersion?: string } };
}

const told: Record<string, 'added' | 'modified' | 'deleted'> = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' };

/** The server is asked to end a watch after four to five minutes, so that not all of them are begun anew at the same time. */
const shortestSeconds = 240;
const spreadSeconds = 61;
/** The server has cut short what ends sooner. */
const shortestWatchMs = 10_000;
/** Pauses after failures double from here, as those of Kubernetes' own clients. */
const firstPauseMs = 800;
/** Also where a server asks for more: a gateway in maintenance may say an hour. */
const longestPauseMs = 30_000;

/**
 * Where a watch stands: the version that it has seen, the connection, the failures since the last event. It asks again by itself, and never
 * gives up.
 */
export class ObjectWatch<T> {
  readonly #client: KubeClient;
  readonly #options: WatchOptions;
  /** Last version seen, by list, event or bookmark; `null` when it has to be listed. */
  #version: string | null = null;
  #relistAt = Number.POSITIVE_INFINITY;
  #connection: WatchConnection | null = null;
  #connectedAt = 0;
  /** Since the last event. */
  #failures = 0;
  /** Came behind events that had to be passed on first. */
  #postponed: unknown = null;

  constructor(client: KubeClient, options: WatchOptions) {
    this.#client = client;
    this.#options = options;
    if (options.from === undefined) return;
    this.#version = options.from;
    this.#relistAt = options.clock.now() + options.relistMilliseconds;
  }

  /** What has come since, which may be nothing; waits for more only when there is nothing to do. Throws only a version that is lost. */
  async next(): Promise<WatchEvent<T>[]> {
    const { clock, signal, idleMilliseconds } = this.#options;
    try {
      this.#throwPostponed();
      if (this.#version === null || clock.now() >= this.#relistAt) return await this.#list();
      this.#connection ??= await this.#connect(this.#version);
      const chunk = await this.#connection.chunk(clock, Math.min(idleMilliseconds, this.#relistAt - clock.now()));
      if (chunk === 'ended') return await this.#ended();
      if (chunk === 'silent') return this.#silent();
      return this.#events(this.#connection.lines.push(chunk) as SentEvent<T>[]);
    } catch (error) {
      this.close();
      if (!signal.aborted) await this.#recover(error as Error);
      return [];
    }
  }

  /** Lets go of the connection. */
  close(): void {
    this.#connection?.body.destroy();
    this.#connection = null;
  }

  async #list(): Promise<WatchEvent<T>[]> {
    const { path, query, accept, signal, clock, relistMilliseconds, listAtStart = true } = this.#options;
    if (!listAtStart) {
      const request = { method: 'GET' as const, path, query: { ...query, limit: 1 }, signal };
      const { metadata } = await this.#client.request<{ metadata?: { resourceVersion?: string } }>(request);
      this.#version = metadata?.resourceVersion ?? '';
      this.#tell('begun');
      return [];
    }
    try {
      const { items, resourceVersion } = await listObjects<T>(this.#client, path, query, signal, accept);
      // What the old connection still holds is older.
      this.close();
      this.#version = resourceVersion;
      this.#relistAt = clock.now() + relistMilliseconds;
      this.#tell('listed');
      return [{ type: 'listed', items, resourceVersion }];
    } catch (error) {
      if (this.#version === null || signal.aborted) throw error;
      // The watch goes on meanwhile.
      this.#tell('failed', error as Error);
      this.#relistAt = clock.now() + longestPauseMs;
      return [];
    }
  }

  async #connect(version: string): Promise<WatchConnection> {
    const { path, query, accept, signal, ids = randomIds } = this.#options;
    const timeoutSeconds = shortestSeconds + ids.below(spreadSeconds);
    const body = await this.#client.stream({
      method: 'GET',
      path,
      query: { ...query, watch: true, resourceVersion: version, allowWatchBookmarks: true, timeoutSeconds },
      signal,
      ...(accept === undefined ? {} : { accept: accept.replaceAll(/\bas=(\w+)List\b/g, 'as=$1') }),
    });
    this.#connectedAt = this.#options.clock.now();
    this.#tell('connected');
    return new WatchConnection(body);
  }

  /** An error ends the connection; what came before it has been seen, and would not be sent again. */
  #events(sent: SentEvent<T>[]): WatchEvent<T>[] {
    const events: WatchEvent<T>[] = [];
    try {
      for (const event of sent) events.push(...this.#event(event));
    } catch (error) {
      this.#postponed = error;
    }
    return events;
  }

  #throwPostponed(): void {
    const error = this.#postponed;
    this.#postponed = null;
    if (error !== null) throw error;
  }

  #event({ type = '', object }: SentEvent<T>): WatchEvent<T>[] {
    if (type === 'ERROR') throw KubeError.ofStatus((object ?? {}) as V1Status);
    const happening = type === 'BOOKMARK' ? 'bookmark' : told[type];
    if (happening === undefined || !object)
      throw new RuntimeFault('unreachable', `Kubernetes sent an event of the unknown type '${type}'.`);
    this.#version = object.metadata?.resourceVersion || this.#version;
    this.#failures = 0;
    this.#tell(happening);
    return happening === 'bookmark' ? [] : [{ type: happening, object }];
  }

  /** In good order after its time; a server that ends it at once, again and again, is not asked without pause. */
  async #ended(): Promise<WatchEvent<T>[]> {
    this.close();
    this.#tell('ended');
    if (this.#options.clock.now() - this.#connectedAt < shortestWatchMs) await this.#pause(0);
    return [];
  }

  /** Not a byte for too long, or it is time to list. */
  #silent(): WatchEvent<T>[] {
    this.close();
    if (this.#options.clock.now() < this.#relistAt) this.#tell('silent');
    return [];
  }

  async #recover(error: Error): Promise<void> {
    // 400: the server cannot read a version that another one gave.
    const lost = this.#version !== null && error instanceof KubeError && (error.status === 410 || error.status === 400);
    this.#tell(lost ? 'expired' : 'failed', error);
    if (lost) {
      if (this.#options.listAtStart === false) throw error;
      this.#version = null;
      // It is listed at once, except when that was tried and has not helped.
      if (this.#failures++ === 0) return;
    }
    await this.#pause(error instanceof KubeError ? (error.retryAfterSeconds ?? 0) * 1000 : 0);
  }

  async #pause(atLeastMs: number): Promise<void> {
    const { clock, signal, ids = randomIds } = this.#options;
    const longest = Math.min(firstPauseMs * 2 ** this.#failures++, longestPauseMs);
    await clock.sleep(Math.max(longest / 2 + ids.below(longest / 2), Math.min(atLeastMs, longestPauseMs)), signal);
  }

  #tell(happening: WatchHappening, error?: Error): void {
    this.#options.observer?.(happening, error);
  }
}
