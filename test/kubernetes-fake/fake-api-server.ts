import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { ServerOptions } from 'node:https';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { KubeConfig, type User } from '@kubernetes/client-node';
import { type WebSocket, WebSocketServer } from 'ws';

/** A request as it came, to be answered. */
export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
  response: ServerResponse;
  /** Of the connection, to see whether it is used again. */
  remotePort: number;
  json(status: number, document: unknown, headers?: Record<string, string>): void;
  /** A refusal in Kubernetes' own form. */
  refuse(code: number, reason: string, message: string, headers?: Record<string, string>): void;
}

/** What a test says of a socket that is asked for: a refusal, or the subprotocol and what then happens. */
export type SocketAnswer = { refuse: { code: number; body: string } } | { protocol?: string; run(socket: WebSocket): void };

/** HTTP and WebSockets as of an API server, all of whose answers the test gives. */
export class FakeApiServer {
  /** Everything that came, in order. */
  readonly asked: Asked[] = [];
  answer: (asked: Asked) => void = (asked) => asked.refuse(404, 'NotFound', 'nothing here');
  answerSocket: (url: URL, headers: IncomingHttpHeaders) => SocketAnswer = () => ({ refuse: { code: 404, body: 'nothing here' } });
  readonly sockets = new Set<Socket>();
  readonly #server: http.Server;

  private constructor(tls: ServerOptions | null) {
    this.#server = tls ? https.createServer(tls) : http.createServer();
    this.#server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('error', () => {});
    });
    this.#server.on('tlsClientError', () => {});
    this.#server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const asked = askedOf(request, response, Buffer.concat(chunks).toString('utf8'));
        this.asked.push(asked);
        this.answer(asked);
      });
    });
    this.#server.on('upgrade', (request, socket: Socket, head) => {
      const answer = this.answerSocket(new URL(request.url ?? '/', 'http://fake'), request.headers);
      if ('refuse' in answer) {
        const { code, body } = answer.refuse;
        socket.end(`HTTP/1.1 ${code} Refused\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
        return;
      }
      const upgrade = new WebSocketServer({
        noServer: true,
        handleProtocols: (offered) => answer.protocol ?? [...offered][0] ?? false,
      });
      upgrade.handleUpgrade(request, socket, head, (webSocket) => answer.run(webSocket));
    });
  }

  /** On any port unless one is named. */
  static async start(tls: ServerOptions | null = null, port = 0): Promise<FakeApiServer> {
    const fake = new FakeApiServer(tls);
    fake.#server.listen(port, '127.0.0.1');
    await once(fake.#server, 'listening');
    return fake;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `${this.#server instanceof https.Server ? 'https' : 'http'}://127.0.0.1:${port}`;
  }

  /** A configuration that leads here. */
  config(user: Partial<User> = { token: 'secret' }, cluster: { caData?: string; server?: string } = {}): KubeConfig {
    const config = new KubeConfig();
    const skipTLSVerify = !(this.#server instanceof https.Server);
    config.loadFromClusterAndUser({ name: 'fake', server: this.url, skipTLSVerify, ...cluster }, { name: 'tester', ...user });
    return config;
  }

  /** Ends all connections, as a server that dies. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }
}

function askedOf(request: http.IncomingMessage, response: ServerResponse, body: string): Asked {
  const url = new URL(request.url ?? '/', 'http://fake');
  const json: Asked['json'] = (status, document, headers = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(document));
  };
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body,
    response,
    remotePort: request.socket.remotePort ?? 0,
    json,
    refuse: (code, reason, message, headers) =>
      json(code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message }, headers),
  };
}
