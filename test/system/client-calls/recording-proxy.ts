import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** A request as it came. */
export interface SeenRequest {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  body: string;
}

/** What a client is answered. */
interface CannedAnswer {
  status: number;
  json: unknown;
}

export interface ProxyOptions {
  /** `http://127.0.0.1:9517`: where requests go, asked for each. */
  target(): string;
  /** Changes the text of what is passed on: path and query, or a body. */
  rewriteRequest?(text: string, request: SeenRequest): string;
  rewriteAnswer?(text: string): string;
}

/** Passes requests on and keeps what clients sent and were answered. */
export class RecordingProxy {
  readonly requests: SeenRequest[] = [];
  /** The statuses of the answers, in the same order. */
  readonly statuses: number[] = [];
  /** Answered in place of the service, while it is set. */
  canned: CannedAnswer | null = null;
  readonly #options: ProxyOptions;
  readonly #server: Server;

  private constructor(options: ProxyOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error) => response.writeHead(599).end(String(error)));
    });
  }

  static async listen(options: ProxyOptions): Promise<RecordingProxy> {
    const proxy = new RecordingProxy(options);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Forgets what was seen. */
  clear(): void {
    this.requests.length = 0;
    this.statuses.length = 0;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = await seenRequest(request);
    this.requests.push(seen);
    if (this.canned)
      return this.#answer(response, this.canned.status, { 'content-type': 'application/json' }, JSON.stringify(this.canned.json));
    const rewrite = (text: string) => this.#options.rewriteRequest?.(text, seen) ?? text;
    const { host: _, 'content-length': __, connection: ___, ...headers } = seen.headers;
    const url = this.#options.target() + rewrite(request.url ?? '/');
    const answer = await send(url, seen.method, { ...headers, 'accept-encoding': 'identity' }, rewrite(seen.body));
    const { 'content-length': ____, connection: _____, 'transfer-encoding': ______, ...passed } = answer.headers;
    this.#answer(response, answer.status, passed, this.#options.rewriteAnswer?.(answer.text) ?? answer.text);
  }

  #answer(response: ServerResponse, status: number, headers: Record<string, string>, text: string): void {
    this.statuses.push(status);
    response.writeHead(status, headers).end(text);
  }
}

/** Not `fetch`, which sends no body with GET as the client does. */
function send(url: string, method: string, headers: Record<string, string>, body: string) {
  return new Promise<{ status: number; headers: Record<string, string>; text: string }>((resolve, reject) => {
    const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    httpRequest(url, { method, headers: { ...headers, ...length } }, (answer) => {
      textOf(answer).then((text) => resolve({ status: answer.statusCode ?? 0, headers: headersOf(answer), text }), reject);
    })
      .on('error', reject)
      .end(body);
  });
}

async function seenRequest(request: IncomingMessage): Promise<SeenRequest> {
  const [path = '/', query = ''] = (request.url ?? '/').split('?');
  return { method: request.method ?? 'GET', path, query, headers: headersOf(request), body: await textOf(request) };
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const headersOf = (message: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, String(value)]));
