import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { WebSocket } from 'ws';
import { parse, stringify } from 'yaml';
import { freePort } from '../engine/free-port.ts';
import { until } from '../engine/until.ts';
import { wish } from './experiments.ts';
import { ProgramProcess } from './program-process.ts';
import { image, ProgramsWorld } from './programs-world.ts';

const shell = { ...wish, image, command: ['sh'], interactive: true, tty: true, nets: [], mounts: [] };

describe('zun-wsproxy, two of them in processes of their own', () => {
  let world: ProgramsWorld;
  let proxies: ProgramProcess[];
  let otherPort: number;
  let uuid: string;

  before(async () => {
    world = await ProgramsWorld.open();
    otherPort = await freePort();
    const file = join(world.folder, 'other.yaml');
    const settings = parse(await readFile(join(world.folder, 'zun.yaml'), 'utf8'));
    await writeFile(file, stringify({ ...settings, consoles: { port: otherPort } }));
    const others = [world.start('zun-api'), world.start('zun-compute'), world.start('zun-compute-agent')];
    proxies = await Promise.all([world.start('zun-wsproxy'), world.start('zun-wsproxy', { ZUN_CONFIG: file })]);
    await Promise.all(others);
    uuid = await world.create(shell);
    await until('it runs', async () => ((await world.show(uuid))?.status === 'Running' ? true : null), 60_000);
  });
  after(() => world?.close());

  const address = async (): Promise<string> => JSON.parse((await world.ask('GET', `/v1/containers/${uuid}/attach`)).text);
  const exec = async (command: string): Promise<{ exec_id: string; proxy_url: string }> => {
    const query = new URLSearchParams({ command, run: 'false', interactive: 'true' });
    const { status, text } = await world.ask('POST', `/v1/containers/${uuid}/execute?${query}`);
    assert.equal(status, 200, text);
    return JSON.parse(text);
  };
  const atOther = (url: string) => url.replace(/:\d+\//, `:${otherPort}/`);

  test('each says where it is, and what it needs', async () => {
    assert.deepEqual(await Promise.all(proxies.map((proxy) => proxy.ready())), [
      `ws://127.0.0.1:${world.port + 2}/`,
      `ws://127.0.0.1:${otherPort}/`,
    ]);
    for (const proxy of proxies) {
      const { status, text } = await proxy.admin('/readyz');
      assert.equal(status, 200, text);
      assert.deepEqual(Object.keys(JSON.parse(text).dependencies), ['database', 'engine']);
    }
  });

  test('a terminal is attached to, typed into, and has the size that is asked for, at either of them', async () => {
    for (const [index, where] of [(url: string) => url, atOther].entries()) {
      const terminal = await Terminal.open(where(await address()));
      const size = { h: String(30 + index), w: '90' };
      const resized = await world.ask('POST', `/v1/containers/${uuid}/resize?${new URLSearchParams(size)}`);
      assert.equal(resized.status, 200, resized.text);
      await terminal.until(new RegExp(`^${size.h} ${size.w}\\r?$`, 'm'), () => terminal.type('stty size\n'));
      terminal.socket.close(1000);
      await terminal.closed;
    }
  });

  test('a command ends with its output and the word for it, and its address is good once', async () => {
    const { proxy_url } = await exec('sh -c "echo out; exit 3"');
    const terminal = await Terminal.open(proxy_url);
    assert.equal(await terminal.closed, '1000 Target closed');
    assert.match(terminal.said, /^out\r?$/m);
    assert.equal(await refusal(proxy_url), 401);
    assert.equal(await refusal(atOther(proxy_url)), 401);
    const [first] = proxies;
    assert.equal(await first?.metric('zun_consoles_total', 'outcome="target-closed"'), 1);
  });

  test('SIGTERM tells clients to go, and the container goes on', async () => {
    const [first, second] = proxies;
    const terminal = await Terminal.open(atOther(await address()));
    second?.signal('SIGTERM');
    assert.equal(await terminal.closed, '1001 Going away');
    assert.equal(await second?.ended(), 0, second?.log);
    assert.equal((await world.show(uuid))?.status, 'Running');
    const again = await Terminal.open(await address());
    await again.until(/^42\r?$/m, () => again.type('echo $((40+2))\n'));
    again.socket.terminate();
    await until('it is let go of', async () => ((await first?.admin('/metrics'))?.text.includes('zun_consoles_open 0') ? true : null));
  });

  test('what has stopped since is a 409, and one that cannot listen says so', async () => {
    const url = await address();
    await world.act('POST', uuid, '/stop?timeout=0');
    await world.settled();
    assert.equal(await refusal(url), 409);
    const second = ProgramProcess.spawn('zun-wsproxy', await world.environment());
    assert.equal(await second.ended(), 1);
    assert.match(second.log, new RegExp(`^zun-wsproxy: Port ${world.port + 2} \\(consoles\\) is in use\\.$`, 'm'));
    await world.act('DELETE', uuid, '');
    await world.settled();
  });
});

/** What a person at a terminal has. */
class Terminal {
  readonly socket: WebSocket;
  /** `code reason`, once it is. */
  readonly closed: Promise<string>;
  said = '';

  static async open(url: string): Promise<Terminal> {
    const terminal = new Terminal(new WebSocket(url, ['binary', 'base64']));
    await new Promise<void>((resolve, reject) => {
      terminal.socket.once('open', () => resolve());
      terminal.socket.once('error', reject);
    });
    return terminal;
  }

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => {
      this.said += data.toString();
    });
    this.closed = new Promise((resolve) => socket.once('close', (code, reason) => resolve(`${code} ${reason}`)));
  }

  type(text: string): void {
    this.socket.send(text);
  }

  /** Waits for what matches, doing something for it again and again. */
  async until(pattern: RegExp, again: () => void): Promise<void> {
    await until(`${pattern}`, async () => {
      if (pattern.test(this.said)) return true;
      again();
      await new Promise((resolve) => setTimeout(resolve, 300));
      return pattern.test(this.said) ? true : null;
    }).catch((cause) => {
      throw new Error(`said: ${JSON.stringify(this.said)}`, { cause });
    });
  }
}

/** The status that a handshake is refused with. */
function refusal(url: string): Promise<number> {
  const socket = new WebSocket(url, ['binary']);
  return new Promise((resolve, reject) => {
    socket.once('open', () => reject(new Error('it was opened')));
    socket.once('error', reject);
    socket.once('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
  });
}
