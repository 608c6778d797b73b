import type { Duplex, Readable } from 'node:stream';
import { Pool } from 'undici';
import { isFault, RuntimeFault } from '../runtime-fault.ts';
import { untilAborted } from '../until-aborted.ts';
import { engineFault } from './engine-fault.ts';
import { engineOperation } from './engine-operation.ts';
import type { EngineTarget } from './engine-target.ts';
import { type HijackRequest, hijack } from './hijack.ts';
import { errorCode, transportFault } from './transport-fault.ts';

export type QueryValue = string | number | boolean | undefined;

export interface EngineRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Below the version prefix: `/containers/json`. */
  path: string;
  query?: Record<string, QueryValue>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is; `contentType` says what it is. */
  body?: Buffer;
  contentType?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Longest silence, before the headers and within the body; 0 = none. Default 120 s. */
  silenceMs?: number;
  /** `libpod`: Podman's own API instead of Docker's. */
  api?: 'docker' | 'libpod';
}

export interface EngineResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * Hears of every call as it begins, `POST /containers/{id}/start`, and how it ended: `ok`, or the kind of the fault. A stream has
 * ended when its headers are there. May not throw.
 */
export type EngineObserver = (operation: string) => (outcome: string) => void;

const defaultSilenceMs = 120_000;
const libpodPrefix = '/v4.0.0/libpod';

/** Where an engine was found, and the connections to it. */
interface ReachedEngine {
  target: EngineTarget;
  pool: Pool;
}

/**
 * HTTP to one engine. Every answer of 400 and above, and every failure to get one, is thrown as a `RuntimeFault`. An engine that is still to be
 * found is looked for by each call until one has found it; that it is not there is a fault, `unreachable`.
 */
export class EngineClient {
  readonly #find: () => Promise<EngineTarget>;
  readonly #observer: EngineObserver | undefined;
  #reached: ReachedEngine | null = null;
  /** The search under way, one for all who wait. */
  #finding: Promise<ReachedEngine> | null = null;
  /** Connections that were handed over. */
  readonly #hijacked = new Set<Duplex>();
  #closed = false;

  constructor(engine: EngineTarget | (() => Promise<EngineTarget>), observer?: EngineObserver) {
    this.#find = typeof engine === 'function' ? engine : async () => engine;
    if (typeof engine !== 'function') this.#reached = { target: engine, pool: poolOf(engine) };
    this.#observer = observer;
  }

  /** `null` as long as the engine was not found. */
  get knownKind(): EngineTarget['kind'] | null {
    return this.#reached?.target.kind ?? null;
  }

  /** What the engine is. Throws `unreachable` when it is still to be found and is not there. */
  async kind(signal?: AbortSignal): Promise<EngineTarget['kind']> {
    try {
      return (await this.#engine(signal)).target.kind;
    } catch (error) {
      throw transportFault(error, signal);
    }
  }

  /** The answer with its whole body. A read whose idle connection the engine had just closed is asked once more. */
  request(request: EngineRequest): Promise<EngineResponse> {
    return this.#observed(request, async () => {
      try {
        return await this.#exchange(request);
      } catch (error) {
        if (request.method === 'GET' && errorCode(error) === 'UND_ERR_SOCKET' && !request.signal?.aborted) {
          return await this.#exchange(request);
        }
        throw error;
      }
    });
  }

  /** The parsed JSON body; the caller names the shape and treats every member as optional. */
  async json<T>(request: EngineRequest): Promise<T> {
    const { body } = await this.request(request);
    return JSON.parse(body.toString('utf8')) as T;
  }

  /** The body as it comes; the caller reads it to its end or destroys it. */
  stream(request: EngineRequest): Promise<{ headers: Record<string, string>; body: Readable }> {
    return this.#observed(request, async () => {
      const answer = await this.#dispatch(request);
      if (answer.statusCode < 400) return { headers: plainHeaders(answer.headers), body: answer.body };
      throw engineFault(answer.statusCode, Buffer.from(await answer.body.arrayBuffer()));
    });
  }

  /** A connection on which the engine speaks for a process, in raw bytes both ways; see `hijack`. The caller destroys it. */
  hijack(request: EngineRequest): Promise<Duplex> {
    return this.#observed(request, async () => {
      const { target } = await this.#engine(request.signal);
      const socket = await hijack(target, { ...head(request, target), method: request.method, ...wait(request) });
      if (this.#closed) socket.destroy();
      this.#hijacked.add(socket);
      socket.once('close', () => this.#hijacked.delete(socket));
      return socket;
    });
  }

  /** What was handed over is lost. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const socket of this.#hijacked) socket.destroy();
    await this.#reached?.pool.destroy();
  }

  async #engine(signal?: AbortSignal): Promise<ReachedEngine> {
    if (this.#reached) return this.#reached;
    const search = () => this.#search();
    return signal ? untilAborted('looking for the engine', signal, search) : search();
  }

  #search(): Promise<ReachedEngine> {
    this.#finding ??= this.#find()
      .then((target) => {
        if (this.#closed) throw new RuntimeFault('unreachable', 'The connection to the container engine is closed.');
        this.#reached = { target, pool: poolOf(target) };
        return this.#reached;
      })
      .finally(() => {
        this.#finding = null;
      });
    return this.#finding;
  }

  /** Tells the observer how the call ended; what it failed with is thrown as a fault. */
  async #observed<T>(request: EngineRequest, call: () => Promise<T>): Promise<T> {
    const ended = this.#observer?.(engineOperation(request.method, request.path));
    try {
      const answer = await call();
      ended?.('ok');
      return answer;
    } catch (error) {
      const fault = transportFault(error, request.signal);
      ended?.(isFault(fault) ? fault.kind : 'failed');
      throw fault;
    }
  }

  async #exchange(request: EngineRequest): Promise<EngineResponse> {
    const answer = await this.#dispatch(request);
    const body = Buffer.from(await answer.body.arrayBuffer());
    if (answer.statusCode >= 400) throw engineFault(answer.statusCode, body);
    return { status: answer.statusCode, headers: plainHeaders(answer.headers), body };
  }

  async #dispatch(request: EngineRequest) {
    const { target, pool } = await this.#engine(request.signal);
    const { silenceMs, signal } = wait(request);
    const { path, headers, body } = head(request, target);
    return pool.request({
      method: request.method,
      path,
      headers,
      body: body ?? null,
      signal: signal ?? null,
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
    });
  }
}

/** What is sent, as the engine wants it. */
function head(request: EngineRequest, target: EngineTarget): Pick<HijackRequest, 'path' | 'headers' | 'body'> {
  const prefix = request.api === 'libpod' ? libpodPrefix : `/v${target.apiVersion}`;
  const path = prefix + request.path + queryString(request.query);
  const headers: Record<string, string> = { ...request.headers };
  if (request.json !== undefined) {
    headers['content-type'] = 'application/json';
    return { path, headers, body: Buffer.from(JSON.stringify(request.json)) };
  }
  if (request.contentType !== undefined) headers['content-type'] = request.contentType;
  return { path, headers, body: request.body };
}

function wait(request: EngineRequest): Pick<HijackRequest, 'signal' | 'silenceMs'> {
  return { signal: request.signal, silenceMs: request.silenceMs ?? defaultSilenceMs };
}

function poolOf({ origin, socketPath }: EngineTarget): Pool {
  const socket = socketPath === null ? {} : { socketPath };
  return new Pool(origin, { ...socket, connect: { timeout: 5_000 }, keepAliveTimeout: 30_000 });
}

function queryString(query: Record<string, QueryValue> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}
