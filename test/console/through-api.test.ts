import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { WebSocket } from 'ws';
import { ConsoleServer } from '../../src/console/console-server.ts';
import { systemClock } from '../../src/telemetry/clock.ts';
import { randomIds } from '../../src/telemetry/ids.ts';
import { silentLogger } from '../../src/telemetry/logger.ts';
import { RequestScope } from '../../src/telemetry/request-scope.ts';
import { ContainerBench } from '../bench/container-bench.ts';
import { soon } from './console-bench.ts';

/** The API over the memory runtime, and the console proxy beside it, on one database. */
class Whole {
  readonly bench: ContainerBench;

  static async open(t: TestContext): Promise<Whole> {
    const bench = await ContainerBench.open();
    const { services, runtime } = bench;
    // The API's clock stands, or its tasks would not wait for the test; terminals get their sizes in real time.
    const clock = { ...systemClock, now: () => bench.clock.now() };
    const options = { settings: services.consoles, database: services.database, runtime, clock, ids: randomIds, logger: silentLogger };
    const server = new ConsoleServer({ ...options, scope: new RequestScope() });
    services.consoles.publicUrl = `ws://127.0.0.1:${await server.listen({ host: '127.0.0.1', port: 0 })}/`;
    t.after(() => server.close());
    return new Whole(bench);
  }

  private constructor(bench: ContainerBench) {
    this.bench = bench;
  }

  async attach(uuid: string): Promise<Terminal> {
    const { status, json } = await this.bench.on(uuid, 'GET', 'attach');
    assert.equal(status, 200, JSON.stringify(json));
    return new Terminal(json as string);
  }

  async execute(uuid: string, command: string, interactive = true): Promise<{ terminal: Terminal; execId: string }> {
    const query = { command, run: 'false', interactive: String(interactive) };
    const { status, json } = await this.bench.on(uuid, 'POST', 'execute', { query });
    assert.equal(status, 200, JSON.stringify(json));
    const { proxy_url, exec_id } = json as { proxy_url: string; exec_id: string };
    return { terminal: new Terminal(proxy_url), execId: exec_id };
  }

  async resize(uuid: string, action: 'resize' | 'execute_resize', query: Record<string, string>): Promise<void> {
    assert.equal((await this.bench.on(uuid, 'POST', action, { query })).status, 200);
  }
}

class Terminal {
  readonly socket: WebSocket;
  /** `code reason`, once it is. */
  readonly closed: Promise<string>;
  said = '';

  constructor(url: string) {
    this.socket = new WebSocket(url, ['binary', 'base64']);
    this.socket.on('message', (data: Buffer) => {
      this.said += data.toString();
    });
    this.closed = new Promise((resolve, reject) => {
      this.socket.once('close', (code, reason) => resolve(`${code} ${reason}`));
      this.socket.once('error', reject);
    });
  }

  async type(text: string): Promise<void> {
    await soon('it is open', () => this.socket.readyState === WebSocket.OPEN);
    this.socket.send(text);
  }

  says(pattern: RegExp): Promise<void> {
    return soon(`${pattern}, not only ${JSON.stringify(this.said)}`, () => pattern.test(this.said));
  }
}

const shell = { interactive: true, tty: true, command: ['cat'] };

test('who is attached types into the main process and reads what it writes; another hears it too; it ends for both', async (t) => {
  const whole = await Whole.open(t);
  const uuid = await whole.bench.container(shell);
  const [one, other] = [await whole.attach(uuid), await whole.attach(uuid)];
  await soon('both are open', () => [one, other].every(({ socket }) => socket.readyState === WebSocket.OPEN));
  await one.type('hello\n');
  for (const terminal of [one, other]) await terminal.says(/hello[\s\S]*hello/);
  await one.type('\x04');
  for (const terminal of [one, other]) assert.equal(await terminal.closed, '1000 Target closed');
});

test('a command is run when its address is opened, and its end is told after its output', async (t) => {
  const whole = await Whole.open(t);
  const uuid = await whole.bench.container();
  for (const interactive of [true, false]) {
    const { terminal } = await whole.execute(uuid, 'echo hello', interactive);
    assert.equal(await terminal.closed, '1000 Target closed');
    assert.match(terminal.said, /^hello\r?\n$/);
  }
  const missing = (await whole.execute(uuid, 'nosuchbinary')).terminal;
  assert.equal(await missing.closed, '1000 Target closed');
  assert.match(missing.said, /nosuchbinary/);
});

test('sizes reach the terminal they are of', async (t) => {
  const whole = await Whole.open(t);
  const uuid = await whole.bench.container(shell);
  const { terminal, execId } = await whole.execute(uuid, 'sh');
  await whole.resize(uuid, 'execute_resize', { exec_id: execId, h: '33', w: '99' });
  await soon('it has the size', () => {
    if (terminal.socket.readyState === WebSocket.OPEN) terminal.socket.send('stty size\n');
    return /33 99/.test(terminal.said);
  });
  terminal.socket.close();
  await terminal.closed;
});

test('a container that has ended since is a 409', async (t) => {
  const whole = await Whole.open(t);
  const uuid = await whole.bench.container(shell);
  const { json } = await whole.bench.on(uuid, 'GET', 'attach');
  await whole.bench.runtime.kill(uuid, 'SIGKILL');
  const socket = new WebSocket(json as string);
  const status = new Promise((resolve) => socket.once('unexpected-response', (_request, { statusCode }) => resolve(statusCode)));
  assert.equal(await status, 409);
});
