import type { Readable } from 'node:stream';
import { Pool } from 'undici';
import { isFault } from '../runtime-fault.ts';
import { engineFault } from './engine-fault.ts';
import { engineOperation } from './engine-operation.ts';
import type { EngineTarget } from './engine-target.ts';
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

/** HTTP to one engine. Every answer of 400 and above, and every failure to get one, is thrown as a `RuntimeFault`. */
export class EngineClient {
  readonly target: EngineTarget;
  readonly #pool: Pool;
  readonly #observer: EngineObserver | undefined;

  constructor(target: EngineTarget, observer?: EngineObserver) {
    this.target = target;
    this.#observer = observer;
    this.#pool = new Pool(target.origin, {
      ...(target.socketPath === null ? {} : { socketPath: target.socketPath }),
      connect: { timeout: 5_000 },
      keepAliveTimeout: 30_000,
    });
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

  async close(): Promise<void> {
    await this.#pool.destroy();
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

  #dispatch(request: EngineRequest) {
    const prefix = request.api === 'libpod' ? libpodPrefix : `/v${this.target.apiVersion}`;
    const silence = request.silenceMs ?? defaultSilenceMs;
    const headers: Record<string, string> = { ...request.headers };
    let body: Buffer | undefined = request.body;
    if (request.json !== undefined) {
      body = Buffer.from(JSON.stringify(request.json));
      headers['content-type'] = 'application/json';
    } else if (request.contentType !== undefined) {
      headers['content-type'] = request.contentType;
    }
    return this.#pool.request({
      method: request.method,
      path: prefix + request.path + queryString(request.query),
      headers,
      body: body ?? null,
      signal: request.signal ?? null,
      headersTimeout: silence,
      bodyTimeout: silence,
    });
  }
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
