import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { type ClientOptions, WebSocket } from 'ws';
import { type ConsoleSettings, defaultSettings } from '../../src/config/settings.ts';
import { ConsoleServer, type ConsoleServerOptions } from '../../src/console/console-server.ts';
import type { Database } from '../../src/db/database.ts';
import { promiseConsole } from '../../src/features/consoles/console-store.ts';
import type { Console, ConsoleTarget } from '../../src/runtime/console.ts';
import { randomIds } from '../../src/telemetry/ids.ts';
import type { Logger } from '../../src/telemetry/logger.ts';
import { RequestScope } from '../../src/telemetry/request-scope.ts';
import { StandingClock } from '../bench/standing-clock.ts';
import { memoryDatabase } from '../contract/memory-database.ts';
import { eventually } from '../contract/runtime/eventually.ts';
import { FakeConsole } from './fake-console.ts';

export const containerUuid = '0a59bc7e-6a9b-4d4e-8f2b-3f6a3f0f8d11';

/** A line of the log: its context and its words. */
export type Line = Record<string, unknown> & { msg: string };

export interface Talk {
  socket: WebSocket;
  console: FakeConsole;
  /** Frames from the proxy. */
  frames: Buffer[];
  /** `code reason` once it is closed. */
  closed: Promise<string>;
}

/** The console proxy over processes that do what the test says, on a clock and a database of its own. */
export class ConsoleBench {
  readonly clock = new StandingClock();
  readonly settings: ConsoleSettings;
  readonly server: ConsoleServer;
  readonly database: Database;
  readonly lines: Line[] = [];
  /** What the proxy told its metrics: `opened`, `refused token`, `ended idle`. */
  readonly observed: string[] = [];
  /** What the runtime was asked to open. */
  readonly asked: ConsoleTarget[] = [];
  /** What the runtime opens next; may throw or wait. */
  opens: (signal?: AbortSignal) => Console | Promise<Console> = () => this.#made(new FakeConsole());
  last: FakeConsole = new FakeConsole();
  #port = 0;

  /** `own` is the server's alone; `database` everybody's. */
  static async open(
    t: TestContext,
    change: Partial<ConsoleSettings> = {},
    own: Partial<ConsoleServerOptions> = {},
    database?: Database,
  ): Promise<ConsoleBench> {
    const bench = new ConsoleBench(database ?? (await memoryDatabase()), change, own);
    bench.#port = await bench.server.listen({ host: '127.0.0.1', port: 0 });
    t.after(async () => {
      const closing = bench.server.close();
      await bench.timePasses(2_000);
      await closing;
      await bench.database.close();
    });
    return bench;
  }

  private constructor(database: Database, change: Partial<ConsoleSettings>, own: Partial<ConsoleServerOptions>) {
    this.database = database;
    this.settings = { ...defaultSettings('bench').consoles, ...change };
    const log = (context: object, msg: string) => this.lines.push({ ...context, msg });
    const logger: Logger = { debug: log, info: log, warn: log, error: log };
    this.server = new ConsoleServer({
      settings: this.settings,
      database,
      runtime: {
        openConsole: async (uuid, target, signal) => {
          assert.equal(uuid, containerUuid);
          this.asked.push(target);
          return this.opens(signal);
        },
      },
      clock: this.clock,
      ids: randomIds,
      logger,
      scope: new RequestScope(),
      observer: {
        opened: () => this.observed.push('opened'),
        refused: (reason) => this.observed.push(`refused ${reason}`),
        ended: ({ outcome }) => this.observed.push(`ended ${outcome}`),
      },
      ...own,
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get port(): number {
    return this.#port;
  }

  /** The clock goes on, and what is due happens. */
  async timePasses(milliseconds: number, step = 250): Promise<void> {
    for (let left = milliseconds; left > 0; left -= step) {
      await this.clock.advance(Math.min(step, left));
      // Queries and frames of this machine.
      for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** What the API answers: the query of an address. */
  async promise(target: ConsoleTarget = { kind: 'attach' }): Promise<{ id: string; query: string; token: string }> {
    const id = `${randomIds.uuid()}${randomIds.uuid()}`.replaceAll('-', '');
    const token = randomIds.uuid();
    const now = this.clock.now();
    await promiseConsole(
      this.database.queries,
      { id, containerUuid, target },
      { token, now, until: now + this.settings.tokenSeconds * 1000 },
    );
    const exec = target.kind === 'exec' ? `&exec_id=${id}` : '';
    return { id, token, query: `?token=${token}&uuid=${containerUuid}${exec}` };
  }

  /** Opens a console and answers both ends of it. `console` is what the runtime has. */
  async talk({ console = new FakeConsole(), query, protocols = ['binary', 'base64'], ...options }: TalkOptions = {}): Promise<Talk> {
    this.opens = () => this.#made(console);
    const socket = this.connect(query ?? (await this.promise()).query, protocols, options);
    const frames: Buffer[] = [];
    socket.on('message', (data: Buffer) => frames.push(data));
    const closed = new Promise<string>((resolve) => socket.once('close', (code, reason) => resolve(`${code} ${reason}`)));
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('error', reject);
    });
    return { socket, console, frames, closed };
  }

  connect(query: string, protocols: string[] = ['binary'], options: ClientOptions = {}): WebSocket {
    return new WebSocket(`ws://127.0.0.1:${this.#port}/${query}`, protocols, options);
  }

  /** The refusal that a handshake meets. */
  async refusal(query: string, protocols?: string[], options: ClientOptions = {}): Promise<{ status: number; words: string }> {
    const socket = this.connect(query, protocols, options);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      socket.once('unexpected-response', (_request, answer) => resolve(answer));
      socket.once('open', () => reject(new Error('it was opened')));
      socket.once('error', reject);
    });
    return { status: response.statusCode ?? 0, words: await text(response) };
  }

  /** Rows of consoles that somebody may come for, or that are open. */
  async rows(): Promise<{ id: string; expires_at: number; opened_at: number | null }[]> {
    const rows = await this.database.queries.selectFrom('openkeel_console').select(['id', 'expires_at', 'opened_at']).execute();
    return rows.map((row) => ({ ...row, expires_at: Number(row.expires_at) }));
  }

  /** The last line of the log with these words, once it is there. */
  async line(msg: string): Promise<Line> {
    await eventually(
      `a line '${msg}'`,
      async () => this.lines.map((line) => line.msg),
      (all) => all.includes(msg),
    );
    return this.lines.findLast((line) => line.msg === msg) as Line;
  }

  #made(console: FakeConsole): FakeConsole {
    this.last = console;
    return console;
  }
}

export interface TalkOptions extends ClientOptions {
  console?: FakeConsole;
  query?: string;
  protocols?: string[];
}

/** Waits until it is so. */
export async function soon(what: string, isSo: () => boolean): Promise<void> {
  await eventually(what, async () => isSo(), Boolean);
}
