import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { freePorts } from '../engine/free-ports.ts';
import { type CommandResult, runCommand } from '../run-command.ts';
import { StandaloneProcess } from '../standalone-process.ts';

const root = resolve(import.meta.dirname, '../../..');
const deadline = 60_000;

/** `npm start` to its end, on the memory engine unless the environment says another. */
async function start(environment: Record<string, string>, before: string[] = []): Promise<CommandResult> {
  const [program = 'npm', ...words] = [...before, 'npm', 'start'];
  const env = { ...process.env, NODE_TEST_CONTEXT: '', ZUN_ENGINE: 'memory', ZUN_PORT: String(await freePorts(4)), ...environment };
  return runCommand(program, words, { cwd: root, env, timeout: deadline });
}

/** The lines that are Zun's own words. */
function words({ stderr }: CommandResult): string[] {
  return stderr.split('\n').flatMap((line) => (line.startsWith('zun: ') ? [line.slice('zun: '.length)] : []));
}

function refuses(result: CommandResult, ...expected: RegExp[]): void {
  assert.equal(result.exitCode, 1, result.stderr);
  const said = words(result);
  assert.equal(said.length, expected.length, result.stderr);
  for (const [at, line] of expected.entries()) assert.match(said[at] ?? '', line);
  assert.doesNotMatch(result.stderr, /^\s+at .*:\d+:\d+/m, 'no stack is shown');
}

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'zun-start-'));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

describe('npm start refuses in words', () => {
  let running: StandaloneProcess;
  before(async () => {
    running = await StandaloneProcess.start({ environment: { ZUN_ENGINE: 'memory' } });
  });
  after(() => running?.close());

  test('a data folder that another standalone uses', async () => {
    refuses(await start({ ZUN_DATA: running.dataFolder }), /data folder .* is in use by process \d+; stop that, or name another folder/);
  });

  test('a port that is in use, the API’s and that of the identity', async (t) => {
    refuses(
      await start({ ZUN_DATA: await folder(t), ZUN_PORT: String(running.port) }),
      new RegExp(`^Port ${running.port + 1} \\(identity\\) is in use`),
      /ZUN_PORT/,
    );
    const port = await freePorts(4);
    const server = createServer().listen(port, '127.0.0.1');
    t.after(() => server.close());
    refuses(
      await start({ ZUN_DATA: await folder(t), ZUN_PORT: String(port) }),
      new RegExp(`^Port ${port} \\(API\\) is in use`),
      /ZUN_PORT/,
    );
  });

  test('values of the environment that cannot be', async (t) => {
    refuses(await start({ ZUN_DATA: await folder(t), ZUN_PORT: 'many' }), /^ZUN_PORT is 'many'/);
    refuses(await start({ ZUN_DATA: await folder(t), ZUN_ENGINE: 'rocket' }), /^ZUN_ENGINE is 'rocket'/);
  });

  for (const [name, options, reason] of [
    ['a full disk', 'size=512k', /cannot be used: its disk is full/],
    ['a read-only data folder', 'ro', /cannot be used: its file system is read-only/],
  ] as const) {
    test(name, async (t) => {
      const place = await folder(t);
      const shell = 'mount -t tmpfs -o "$2" tmpfs "$1" && shift 2 && exec "$@"';
      refuses(await start({ ZUN_DATA: join(place, 'data') }, ['unshare', '--mount', 'sh', '-c', shell, 'sh', place, options]), reason);
    });
  }

  test('no engine, on a machine where it may install none: two lines of what to install', async (t) => {
    const data = join(await folder(t), 'data');
    await mkdir(data);
    await chmod(join(data, '..'), 0o755);
    await chmod(data, 0o777);
    const environment = {
      ZUN_DATA: join(data, 'zun'),
      ZUN_ENGINE: 'private',
      DOCKER_HOST: '',
      HOME: data,
      NODE_COMPILE_CACHE: join(data, 'cache'),
    };
    const env = { ...process.env, ...environment, NODE_TEST_CONTEXT: '', ZUN_PORT: String(await freePorts(4)) };
    // A user who is not root, where podman is hidden by a file that nobody can run.
    const shell = 'mount --bind /dev/null "$(command -v podman)" && exec setpriv --reuid 65534 --clear-groups "$@"';
    const program = [process.execPath, '--disable-warning=ExperimentalWarning', 'src/programs/standalone.ts'];
    const result = await runCommand('unshare', ['--mount', 'sh', '-c', shell, 'sh', ...program], { cwd: root, env, timeout: deadline });
    refuses(result, /^There is no container engine/, /^Install Docker, or Podman: apt-get install/);
  });
});
