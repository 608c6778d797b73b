import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ConsoleSettings } from '../config/settings.ts';
import type { Database } from '../db/database.ts';
import { forgetConsole } from '../features/consoles/console-store.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import type { Clock } from '../telemetry/clock.ts';
import type { Ids } from '../telemetry/ids.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { RequestScope } from '../telemetry/request-scope.ts';
import { checkOrigin } from './check-origin.ts';
import type { ConsoleObserver } from './console-observer.ts';
import { consoleRequest, subprotocol } from './console-request.ts';
import { ConsoleSession } from './console-session.ts';
import { OpenConsoles } from './open-consoles.ts';
import { type OpenedConsole, openPromised } from './open-promised.ts';
import { Refusal } from './refusal.ts';

export interface ConsoleServerOptions {
  settings: ConsoleSettings;
  database: Database;
  /** Without deadlines around it: what is opened too late has to be closed here. */
  runtime: Pick<ContainerRuntime, 'openConsole'>;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** The logger's: what is asked of the engine for a console is logged under its id. */
  scope: RequestScope;
  observer?: ConsoleObserver;
  /** Most consoles at once; 500 unless said. */
  most?: number;
  /** A client has so long for its headers, in milliseconds; 10 s unless said. */
  headersTimeout?: number;
}

/** Each may hold a MiB of what its process does not read, and a quarter of what its client does not. */
const mostConsoles = 500;
/** Of a frame of a client; a longer one ends its console with 1009. */
const mostMessageBytes = 1024 * 1024;
/** Connections that have not asked for anything yet, beside the consoles. */
const mostOthers = 500;
const maximumHeaderBytes = 16 * 1024;
const usualHeadersTimeout = 10_000;
/** Of silence, before the kernel asks whether the other machine is still there: ten times, a second apart. Clients do not notice. */
const keepAliveMilliseconds = 20_000;
/** So long clients have to answer the end of the program, and then the database to forget their consoles. */
const farewellMilliseconds = 2_000;

const whatThisIs = 'This is the console proxy of Zun. It takes WebSockets, at the addresses that the API gives for attach and execute.\n';

/**
 * `zun-wsproxy`'s server: takes WebSockets at any path, opens the console that the address promises, and has bytes go both ways. What
 * cannot be opened is refused before the handshake is answered, with a status and a sentence (docs/decisions/consoles.md). Origin:
 * zun/websocket/websocketproxy.py.
 */
export class ConsoleServer {
  readonly #options: ConsoleServerOptions;
  readonly #server: Server;
  readonly #handshakes = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: mostMessageBytes,
    // Clients send what is typed in text frames, cut anywhere.
    skipUTF8Validation: true,
    handleProtocols: () => subprotocol,
  });
  readonly #open: OpenConsoles;
  readonly #stopping = new AbortController();
  /** Of each that is being opened, is open, or is being forgotten. */
  readonly #lives = new Set<Promise<void>>();

  constructor(options: ConsoleServerOptions) {
    this.#options = options;
    this.#open = new OpenConsoles({ ...options, queries: options.database.queries });
    const { most = mostConsoles, headersTimeout = usualHeadersTimeout } = options;
    this.#server = createServer({
      maxHeaderSize: maximumHeaderBytes,
      headersTimeout,
      requestTimeout: headersTimeout,
      connectionsCheckingInterval: Math.min(1_000, headersTimeout),
    });
    this.#server.maxConnections = most + mostOthers;
    this.#server
      .on('request', (_request, response) => {
        response.writeHead(426, { 'content-type': 'text/plain; charset=utf-8', connection: 'close', upgrade: 'websocket' });
        response.end(whatThisIs);
      })
      .on('upgrade', (request, socket, head) => {
        const life = this.#life(request, socket, head, most).finally(() => this.#lives.delete(life));
        this.#lives.add(life);
      });
  }

  /** How many consoles are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Answers the port. Rejects with Node's error, such as `EADDRINUSE`. */
  listen({ host, port }: { host: string; port: number }): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port }, () => {
        this.#server.off('error', reject);
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  /** Opens no more, tells all who have one open (1001), and waits for their answers for a moment. Processes go on. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#stopping.abort();
    this.#server.closeIdleConnections();
    const { sessions } = this.#open;
    for (const session of sessions) session.close(1001, 'Going away', 'stopped');
    await this.#livesEnd();
    for (const session of sessions) session.terminate();
    this.#server.closeAllConnections();
    await this.#livesEnd();
    await this.#open.stop();
    await closed;
  }

  /** Resolves when nobody is served any more, or in a moment. */
  async #livesEnd(): Promise<void> {
    const over = new AbortController();
    void Promise.all(this.#lives).then(() => over.abort());
    await this.#options.clock.sleep(farewellMilliseconds, over.signal);
  }

  /** Of one connection, from its handshake until nothing is left of it. Never rejects. */
  async #life(request: IncomingMessage, socket: Duplex, head: Buffer, most: number): Promise<void> {
    const { ids, scope, logger } = this.#options;
    const requestId = ids.requestId();
    // It may be cut at any time; whoever writes to it next notices.
    socket.on('error', () => {});
    await scope.run({ requestId }, async () => {
      try {
        const opened = await this.#admit(request, socket, most);
        if (opened) await this.#serve(request, socket, head, { requestId, opened });
      } catch (error) {
        const refusal =
          error instanceof Refusal ? error : new Refusal('defect', `This is a defect of the service; its log has ${requestId}.`);
        const { reason, status } = refusal;
        this.#options.observer?.refused?.(reason);
        const context = { request_id: requestId, status, reason, detail: refusal.message };
        if (refusal === error) logger.info({ ...context, cause: causeOf(refusal) }, 'console refused');
        else logger.error({ ...context, err: error }, 'console refused');
        refuse(socket, status, `${refusal.message}\n`, { 'X-Openstack-Request-Id': requestId });
      }
    });
  }

  /** `null` for who did not ask for a WebSocket, and has been told so. Throws a `Refusal`. */
  async #admit(request: IncomingMessage, socket: Duplex, most: number): Promise<OpenedConsole | null> {
    const { settings, database, runtime, clock } = this.#options;
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      refuse(socket, 426, whatThisIs, { Upgrade: 'websocket' });
      return null;
    }
    const wish = consoleRequest(request);
    checkOrigin(request.headers, settings);
    if (this.#stopping.signal.aborted) throw new Refusal('unavailable', 'The console proxy is being ended: try again.');
    // This one is not among them yet.
    if (this.#lives.size >= most) throw new Refusal('full', `There are ${most} consoles open here, and no more can be: try again later.`);
    return openPromised({ queries: database.queries, runtime, clock }, wish, this.#stopping.signal);
  }

  async #serve(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    { requestId, opened }: { requestId: string; opened: OpenedConsole },
  ): Promise<void> {
    const { settings, database, clock, logger, observer } = this.#options;
    const { promised, console, size } = opened;
    const about = { request_id: requestId, container: promised.containerUuid, console: promised.target.kind };
    const webSocket = this.#shakeHands(request, socket, head, requestId);
    if (webSocket) {
      const began = clock.monotonic();
      const session = new ConsoleSession({
        socket: webSocket,
        console,
        clock,
        idleMilliseconds: settings.idleSeconds * 1000,
        answersPings: isBrowser(request),
      });
      this.#open.add(promised.id, session, size);
      observer?.opened?.();
      logger.info(about, 'console opened');
      if (this.#stopping.signal.aborted) session.close(1001, 'Going away', 'stopped');
      const { outcome, detail, bytesIn, bytesOut } = await session.ended;
      this.#open.delete(promised.id);
      observer?.ended?.({ outcome, bytesIn, bytesOut });
      const context = { ...about, outcome, detail, ms: Math.round(clock.monotonic() - began), bytes_in: bytesIn, bytes_out: bytesOut };
      if (outcome === 'runtime-lost') logger.warn(context, 'console closed');
      else logger.info(context, 'console closed');
    } else {
      console.close();
      logger.info(about, 'whoever asked for the console has gone before it was open');
    }
    // Its time would end anyway.
    await forgetConsole(database.queries, promised.id).catch((error) => logger.debug({ ...about, err: error }, 'console not forgotten'));
  }

  /** `null` when the client has gone meanwhile. */
  #shakeHands(request: IncomingMessage, socket: Duplex, head: Buffer, requestId: string): WebSocket | null {
    let open: WebSocket | null = null;
    const named = (headers: string[]) => headers.push(`X-Openstack-Request-Id: ${requestId}`);
    (socket as Socket).setKeepAlive(true, keepAliveMilliseconds);
    this.#handshakes.once('headers', named);
    // Calls back before it returns, or never.
    this.#handshakes.handleUpgrade(request, socket, head, (webSocket) => {
      open = webSocket;
    });
    this.#handshakes.off('headers', named);
    return open;
  }
}

/**
 * Browsers answer pings whatever their page does. Others need not: python-zunclient reads on after a ping until there is output, and sends
 * nothing that is typed meanwhile.
 */
function isBrowser({ headers }: IncomingMessage): boolean {
  return headers['user-agent']?.startsWith('Mozilla/') ?? false;
}

const causeOf = ({ cause }: Refusal) => (cause instanceof Error ? cause.message : undefined);

/** Answers a handshake with something else than a WebSocket, and hangs up. */
function refuse(socket: Duplex, status: number, text: string, headers: Record<string, string>): void {
  const all = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.once('finish', () => socket.destroy());
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n'));
}
