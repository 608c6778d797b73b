import type { Readable } from 'node:stream';
import type { KubeConfig } from '@kubernetes/client-node';
import type { Dispatcher } from 'undici';
import type { WebSocket } from 'ws';
import { type Clock, systemClock } from '../../../telemetry/clock.ts';
import { RuntimeFault } from '../../runtime-fault.ts';
import { type KubeAccess, KubeCredentials } from './kube-credentials.ts';
import { KubeError } from './kube-error.ts';
import { kubeFault } from './kube-fault.ts';
import { kubeOperation } from './kube-operation.ts';
import { KubePools } from './kube-pools.ts';
import { openSocket } from './open-socket.ts';

export type KubeQuery = Record<string, string | number | boolean | undefined>;

export interface KubeRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the root of the API: `/api/v1/namespaces/n/pods`. Names within it are escaped by the caller where they need it. */
  path: string;
  query?: KubeQuery;
  /** Sent as JSON. */
  body?: unknown;
  /** `application/json` unless said; patches name their kind. */
  contentType?: string;
  /** `application/json` unless said. */
  accept?: string;
  signal?: AbortSignal | undefined;
  /** Longest silence, before the headers and within the body. Default 20 s for a read, which is then asked once more; 30 s for others. */
  silenceMs?: number;
}

/**
 * Hears of every call as it begins, `PATCH /api/v1/namespaces/{namespace}/pods/{name}`, and how it ended: `ok`, or the kind of the fault.
 * A stream (`WATCH …` when it is a watch) has ended when its headers are there, a socket (`CONNECT …`) when it is open. May not throw.
 */
export type KubeObserver = (operation: string) => (outcome: string) => void;

/**
 * Asked after a refusal for want of a right (RBAC) at the path: whether it may be had from now on. What it throws is thrown in place of the refusal.
 */
export type RegainRight = (path: string) => Promise<boolean>;

/**
 * A server that is alive answers within moments, or says that it is busy (429). Silence is most likely that of a connection whose other
 * end is gone without a word, such as a load balancer that has failed over; those who wait have a minute in all.
 */
const readSilenceMs = 20_000;
/** Admission webhooks have ten seconds each unless they ask for more, thirty at most. */
const changeSilenceMs = 30_000;
/** So long a call waits in all when the server says when to come back; a server that wants more has refused. */
const longestWaitMs = 10_000;
/** Each server of a cluster hears of new rights a moment after they are given. */
const rightPausesMs = [50, 100, 200, 400, 800, 1600, 3200];

/**
 * The Kubernetes API over HTTP. What the server refuses is thrown as `KubeError`, a failure to get an answer as `RuntimeFault`;
 * `kubeFault` makes one of both.
 */
export class KubeClient {
  readonly clock: Clock;
  readonly #base: URL;
  readonly #credentials: KubeCredentials;
  readonly #pools: KubePools;
  readonly #observer: KubeObserver | undefined;
  #regain: RegainRight = () => Promise.resolve(false);

  constructor(config: KubeConfig, observer?: KubeObserver, clock: Clock = systemClock) {
    const cluster = config.getCurrentCluster();
    if (!cluster) throw new Error(`The kubeconfig's context '${config.getCurrentContext()}' names no cluster.`);
    this.#base = new URL(cluster.server);
    this.#credentials = new KubeCredentials(config);
    this.#pools = new KubePools(this.#base.origin, cluster.proxyUrl ?? null);
    this.#observer = observer;
    this.clock = clock;
  }

  /** From now on a call that lacks a right is made again where that is regained. */
  onLackOfRight(regain: RegainRight): void {
    this.#regain = regain;
  }

  /** The parsed JSON body; the caller names the shape. */
  request<T>(request: KubeRequest): Promise<T> {
    return this.#observed(request.method, request, async () => {
      const body = await this.#persistent(request, (access) => this.#exchange(request, access));
      return parsed<T>(request, body);
    });
  }

  /** The body as it is. */
  bytes(request: KubeRequest): Promise<Buffer> {
    return this.#observed(request.method, request, () => this.#persistent(request, (access) => this.#exchange(request, access)));
  }

  /** The body as it comes, however long it is silent; the caller reads it to its end or destroys it, or aborts the signal. */
  stream(request: KubeRequest): Promise<Readable> {
    const word = request.query?.watch ? 'WATCH' : request.method;
    return this.#observed(word, request, () =>
      this.#persistent(request, async (access) => {
        const answer = await this.#dispatch(this.#pools.of(access.tls).streams, request, access, 0);
        if (answer.statusCode >= 300) throw await refusal(answer);
        return answer.body;
      }),
    );
  }

  /** An open WebSocket that is paused: listen, then `resume()`. It is torn down when the signal aborts, also later. */
  connect(path: string, query: [string, string][], protocols: string[], signal?: AbortSignal): Promise<WebSocket> {
    const request: KubeRequest = { method: 'GET', path, signal };
    return this.#observed('CONNECT', request, () =>
      this.#persistent(request, (access) => {
        const url = new URL(`${this.#path(path)}?${new URLSearchParams(query)}`, this.#base);
        url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
        return openSocket(url, protocols, access, signal);
      }),
    );
  }

  async close(): Promise<void> {
    await this.#pools.close();
  }

  /** Tells the observer how the call ended; a failure to get an answer is thrown as a fault. */
  async #observed<T>(word: string, { path, signal }: KubeRequest, call: () => Promise<T>): Promise<T> {
    const ended = this.#observer?.(kubeOperation(word, path));
    try {
      const answer = await call();
      ended?.('ok');
      return answer;
    } catch (error) {
      const fault = kubeFault(error, signal);
      ended?.(fault.kind);
      throw error instanceof KubeError ? error : fault;
    }
  }

  /**
   * Asks again where that is safe: a read whose idle connection the server had just closed, or whose server is silent, once; after a
   * 401, once, with other credentials when there are any; after a 429 or 503, which did nothing, when the server says, within bounds;
   * for want of a right that is regained, until the servers know.
   */
  async #persistent<T>({ method, path, signal }: KubeRequest, attempt: (access: KubeAccess) => Promise<T>): Promise<T> {
    let died = false;
    let renewed = false;
    let waitedMs = 0;
    let lacks = 0;
    for (;;) {
      const access = await this.#credentials.current();
      try {
        return await attempt(access);
      } catch (error) {
        if (signal?.aborted) throw error;
        if (!(error instanceof KubeError)) {
          if (died || method !== 'GET' || !(isSilence(error) || diedIdle(error))) throw error;
          died = true;
        } else if (error.status === 401 && !renewed) {
          renewed = true;
          if (!(await this.#credentials.renew(access))) throw error;
        } else if ((error.status === 429 || error.status === 503) && error.retryAfterSeconds !== null) {
          const pauseMs = Math.max(error.retryAfterSeconds, 1) * 1000;
          if (waitedMs + pauseMs > longestWaitMs) throw error;
          waitedMs += pauseMs;
          await this.clock.sleep(pauseMs, signal);
          if (signal?.aborted) throw error;
        } else if (error.lacksRight) {
          const pauseMs = rightPausesMs[lacks];
          if (pauseMs === undefined || (lacks === 0 && !(await this.#regain(path)))) throw error;
          lacks += 1;
          await this.clock.sleep(pauseMs, signal);
          if (signal?.aborted) throw error;
        } else throw error;
      }
    }
  }

  async #exchange(request: KubeRequest, access: KubeAccess): Promise<Buffer> {
    const pools = this.#pools.of(access.tls);
    try {
      const answer = await this.#dispatch(pools.exchanges, request, access, silenceOf(request));
      if (answer.statusCode >= 300) throw await refusal(answer);
      return Buffer.from(await answer.body.arrayBuffer());
    } catch (error) {
      // The other connections may be as dead.
      if (isSilence(error)) this.#pools.leave(pools);
      throw error;
    }
  }

  #dispatch(pool: Dispatcher, request: KubeRequest, access: KubeAccess, bodyTimeout: number): Promise<Dispatcher.ResponseData> {
    const body = request.body === undefined ? null : JSON.stringify(request.body);
    return pool.request({
      origin: this.#base.origin,
      method: request.method,
      path: this.#path(request.path) + queryString(request.query),
      headers: {
        ...access.headers,
        accept: request.accept ?? 'application/json',
        'user-agent': 'zun',
        ...(body === null ? {} : { 'content-type': request.contentType ?? 'application/json' }),
      },
      body,
      signal: request.signal ?? null,
      headersTimeout: silenceOf(request),
      bodyTimeout,
    });
  }

  /** Below the server's own path, which it has behind some gateways. */
  #path(path: string): string {
    return this.#base.pathname.replace(/\/$/, '') + path;
  }
}

async function refusal({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<KubeError> {
  const retryAfter = headers['retry-after'];
  return KubeError.ofAnswer(statusCode, Buffer.from(await body.arrayBuffer()), Array.isArray(retryAfter) ? retryAfter[0] : retryAfter);
}

function parsed<T>({ method, path }: KubeRequest, body: Buffer): T {
  try {
    return JSON.parse(body.toString('utf8')) as T;
  } catch (error) {
    const begin = body.subarray(0, 100).toString('utf8');
    const message = `The Kubernetes API server answered ${method} ${path} with what is no JSON: ${JSON.stringify(begin)}`;
    throw new RuntimeFault('unreachable', message, { cause: error });
  }
}

const silenceOf = ({ method, silenceMs }: KubeRequest): number => silenceMs ?? (method === 'GET' ? readSilenceMs : changeSilenceMs);

function isSilence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'UND_ERR_HEADERS_TIMEOUT' || error.code === 'UND_ERR_BODY_TIMEOUT');
}

function diedIdle(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'UND_ERR_SOCKET' || error.code === 'ECONNRESET' || error.code === 'EPIPE')
  );
}

function queryString(query: KubeQuery = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
