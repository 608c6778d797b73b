import type { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import type { RegistryCredentials } from '../../image-store.ts';
import { RuntimeFault } from '../../runtime-fault.ts';
import { type AuthChallenge, authChallenge } from './auth-challenge.ts';

export interface RegistryRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT';
  /** Below the registry, `/v2/…`, or the whole address that the registry gave. */
  path: string;
  headers?: Record<string, string>;
  /** Asked for anew when the request is sent again. */
  body?: () => Buffer | Readable;
}

export interface RegistryAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** A registry may be silent for as long as it checks a large blob. */
const silenceMs = 10 * 60_000;

/**
 * HTTP to one registry on behalf of one user: with the password where it asks for that, else with the token that its token service gives for the password.
 * Only this machine's own registry is spoken to without TLS, as by Docker. Faults: `denied`, `unreachable`.
 */
export class RegistryClient {
  readonly #registry: string;
  readonly #origin: string;
  readonly #credentials: RegistryCredentials | null;
  #authorization: string | null = null;

  constructor(registry: string, credentials: RegistryCredentials | null) {
    const host = registry === 'docker.io' ? 'registry-1.docker.io' : registry;
    this.#registry = registry;
    this.#origin = `${/^(localhost|127\.[\d.]+)(:\d+)?$/.test(host) ? 'http' : 'https'}://${host}`;
    this.#credentials = credentials;
  }

  /** Whatever the registry answers, but for a demand to log in, which is met once. */
  async ask(asked: RegistryRequest): Promise<RegistryAnswer> {
    const answer = await this.#send(asked);
    if (answer.status !== 401) return answer;
    this.#authorization = await this.#login(authChallenge(String(answer.headers['www-authenticate'] ?? '')));
    const again = await this.#send(asked);
    if (again.status === 401 || again.status === 403) throw this.refusal(again);
    return again;
  }

  /** The fault for an answer that the caller can't use, in the registry's words. */
  refusal({ status, body }: RegistryAnswer): RuntimeFault {
    const words = errorWords(body) || `it answered ${status}`;
    const kind = status === 401 || status === 403 ? 'denied' : status === 404 ? 'not-found' : 'failed';
    return new RuntimeFault(kind, `Registry ${this.#registry}: ${words}`);
  }

  async #send({ method, path, headers = {}, body }: RegistryRequest): Promise<RegistryAnswer> {
    const url = new URL(path, this.#origin);
    // Storage that the registry hands uploads on to is not told of the login.
    const isOwn = url.origin === this.#origin;
    const authorization = isOwn && this.#authorization !== null ? { authorization: this.#authorization } : {};
    return await this.#exchange(url, { method, headers: { ...headers, ...authorization }, body: body?.() ?? null });
  }

  async #login(challenge: AuthChallenge | null): Promise<string> {
    const basic =
      this.#credentials && `Basic ${Buffer.from(`${this.#credentials.username}:${this.#credentials.password}`).toString('base64')}`;
    if (challenge?.scheme === 'bearer') return `Bearer ${await this.#token(challenge, basic)}`;
    if (challenge?.scheme === 'basic' && basic !== null) return basic;
    throw new RuntimeFault('denied', `Registry ${this.#registry} asks for a user name and a password.`);
  }

  /** Origin: the distribution project's token authentication specification. */
  async #token({ parameters }: AuthChallenge, basic: string | null): Promise<string> {
    const { realm = '', service, scope } = parameters;
    const url = URL.parse(realm, this.#origin);
    if (url === null) throw new RuntimeFault('failed', `Registry ${this.#registry} names no token service that could be asked.`);
    if (service !== undefined) url.searchParams.set('service', service);
    for (const one of scope?.split(' ') ?? []) url.searchParams.append('scope', one);
    const answer = await this.#exchange(url, { method: 'GET', headers: basic === null ? {} : { authorization: basic } });
    if (answer.status !== 200) throw this.refusal(answer);
    const { token, access_token } = JSON.parse(answer.body.toString('utf8')) as { token?: string; access_token?: string };
    return token ?? access_token ?? '';
  }

  async #exchange(url: URL, options: Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body'>): Promise<RegistryAnswer> {
    try {
      const answer = await request(url, { ...options, headersTimeout: silenceMs, bodyTimeout: silenceMs });
      return { status: answer.statusCode, headers: answer.headers, body: Buffer.from(await answer.body.arrayBuffer()) };
    } catch (error) {
      if (error instanceof RuntimeFault) throw error;
      const words = error instanceof Error ? error.message : String(error);
      throw new RuntimeFault('unreachable', `Registry ${this.#registry} cannot be reached: ${words}`, { cause: error });
    }
  }
}

function errorWords(body: Buffer): string {
  try {
    const { errors = [], details } = JSON.parse(body.toString('utf8')) as {
      errors?: { code?: string; message?: string }[];
      details?: string;
    };
    return errors.map(({ code, message }) => message ?? code).join('; ') || (details ?? '');
  } catch {
    return '';
  }
}
