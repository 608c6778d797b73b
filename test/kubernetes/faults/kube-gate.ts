import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

/** A call as it came. */
export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What becomes of a call that ends by itself; `ask` has the API server answer it. `cut` breaks the connection. */
export type Rule = (call: Call, ask: () => Promise<Answer>) => Promise<Answer | 'cut'>;

/** What becomes of a watch: an answer instead of it, or `null` to let it through. */
export type WatchRule = (call: Call) => Answer | null;

interface Upstream {
  url: URL;
  ca: string;
}

const pass: Rule = (_call, ask) => ask();

/** An API server's deputy without TLS, which lets everything through unless a test says otherwise. Tokens are passed on. */
export class KubeGate {
  rule: Rule = pass;
  watchRule: WatchRule = () => null;
  /** What a line of a watch becomes. */
  line: (line: string) => string[] = (line) => [line];
  readonly #upstream: Upstream;
  readonly #server: Server;

  private constructor(upstream: Upstream) {
    this.#upstream = upstream;
    this.#server = createServer((incoming, outgoing) => {
      this.#serve(incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  /** `kubeconfig`: a file that holds all that it needs. */
  static async open(kubeconfig: string): Promise<KubeGate> {
    const { clusters } = JSON.parse(await readFile(kubeconfig, 'utf8'));
    const { server, 'certificate-authority-data': ca } = clusters[0].cluster;
    const gate = new KubeGate({ url: new URL(server), ca: Buffer.from(ca, 'base64').toString() });
    gate.#server.listen(0, '127.0.0.1');
    await once(gate.#server, 'listening');
    return gate;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Lets everything through again. */
  heal(): void {
    this.rule = pass;
    this.watchRule = () => null;
    this.line = (line) => [line];
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(incoming.url ?? '/', 'http://gate');
    const call: Call = { method: incoming.method ?? 'GET', path, query, body: await textOf(incoming) };
    if (query.get('watch') === 'true') return this.#watch(call, incoming, outgoing);
    const answer = await this.rule(call, () => this.#ask(call, incoming));
    if (answer === 'cut') outgoing.destroy();
    else write(outgoing, answer);
  }

  /** Lines come as they come. */
  async #watch(call: Call, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const instead = this.watchRule(call);
    if (instead) return write(outgoing, instead);
    const onward = this.#onward(incoming);
    outgoing.on('close', () => onward.destroy());
    onward.end();
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    if (answer.statusCode !== 200)
      return write(outgoing, { status: answer.statusCode ?? 502, headers: answer.headers, body: await textOf(answer) });
    outgoing.writeHead(200, { 'content-type': answer.headers['content-type'] ?? 'application/json' }).flushHeaders();
    // A connection that breaks is no end in good order.
    answer.on('error', () => outgoing.destroy());
    for await (const line of createInterface({ input: answer })) for (const sent of this.line(line)) outgoing.write(`${sent}\n`);
    if (answer.complete) outgoing.end();
    else outgoing.destroy();
  }

  async #ask(call: Call, incoming: IncomingMessage): Promise<Answer> {
    const onward = this.#onward(incoming);
    onward.end(call.body);
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    return { status: answer.statusCode ?? 502, headers: answer.headers, body: await textOf(answer) };
  }

  #onward(incoming: IncomingMessage) {
    const { connection: _, 'transfer-encoding': __, ...headers } = incoming.headers;
    const { url, ca } = this.#upstream;
    const options = { method: incoming.method, ca, headers: { ...headers, host: url.host }, agent: false };
    // Who waits for the answer hears of it, too.
    return request(new URL(incoming.url ?? '/', url), options).on('error', () => {});
  }
}

function write(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  const { 'content-type': type = 'application/json', 'retry-after': retryAfter } = headers;
  outgoing.writeHead(status, { 'content-type': type, ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }) }).end(body);
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
