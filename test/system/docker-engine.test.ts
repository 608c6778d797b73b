import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { buildBusyboxImage } from '../../src/local/busybox-image/build-busybox-image.ts';
import { type FindEngineOptions, type FoundEngine, findEngine } from '../../src/local/engine/find-engine.ts';
import { DockerRuntime } from '../../src/runtime/docker/docker-runtime.ts';
import { EngineClient } from '../../src/runtime/docker/engine-client.ts';
import { plainWorkload } from '../../src/runtime/plain-workload.ts';
import { isFault } from '../../src/runtime/runtime-fault.ts';
import { systemClock } from '../../src/telemetry/clock.ts';
import { loadImage } from './engine/load-image.ts';
import { startPrivateDocker } from './engine/private-docker.ts';
import { removeAllContainers } from './engine/remove-all-containers.ts';
import { removeEngineFolder } from './engine/remove-engine-folder.ts';
import { until } from './engine/until.ts';

describe('finding a container engine', () => {
  const folders: string[] = [];
  const options = (dataFolder: string): FindEngineOptions => ({
    dataFolder,
    dockerHost: null,
    runtimeFolder: null,
    search: 'private',
    environment: process.env,
    clock: systemClock,
    progress: () => {},
  });
  const newFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'zun-find-'));
    folders.push(folder);
    return folder;
  };
  let folder: string;

  before(async () => {
    folder = await newFolder();
  });

  after(async () => {
    for (const made of folders) await removeEngineFolder(made);
  });

  test('DOCKER_HOST is taken, and told as Docker', async () => {
    const docker = await startPrivateDocker();
    try {
      const engine = await findEngine({ ...options(folder), search: 'any', dockerHost: `unix://${docker.target.socketPath}` });
      assert.deepEqual([engine.target.kind, engine.ownsService], ['docker', false]);
      assert.match(engine.description, /^Docker at unix:\/\//);
      await engine.close();
    } finally {
      await docker.close();
    }
  });

  test('a DOCKER_HOST that does not answer, or is none, is told with its name', async () => {
    await assert.rejects(
      findEngine({ ...options(folder), dockerHost: 'unix:///nowhere.sock' }),
      /DOCKER_HOST is unix:\/\/\/nowhere\.sock: .*ENOENT/,
    );
    await assert.rejects(findEngine({ ...options(folder), dockerHost: 'ssh://host' }), /DOCKER_HOST is ssh:\/\/host: .*neither/);
  });

  test('a private Podman keeps its store on its second start, and does not try out anew what the filesystem can do', async () => {
    await (await findEngine(options(folder))).close();
    const chosen = async () => (await stat(join(folder, 'engine', 'storage.conf'))).mtimeMs;
    const first = await chosen();
    await (await findEngine(options(folder))).close();
    assert.equal(await chosen(), first);
  });

  test('a workload outlives the service and is found again', async () => {
    await withWorkload(await findEngine(options(folder)), folder, async (uuid, first) => {
      await first.close();
      const second = await findEngine(options(folder));
      await withRuntime(second, folder, async (runtime) => {
        assert.equal((await runtime.inspect(uuid))?.state.status, 'running');
        assert.equal((await runtime.exec(uuid, ['echo', 'alive'], 10_000)).output.toString(), 'alive\n');
      });
      return second;
    });
  });

  test('a service that dies is started again, and calls between are unreachable', async () => {
    await withWorkload(await findEngine(options(folder)), folder, async (uuid, engine) => {
      await withRuntime(engine, folder, async (runtime) => {
        const lost = watchUntilLost(runtime);
        process.kill(Number(await readFile(join(folder, 'engine', 'podman.pid'), 'utf8')), 'SIGKILL');
        assert.ok(isFault(await lost, 'unreachable'), 'the event stream says that it lost the engine');
        const unreachable = async () =>
          runtime.inspect(uuid).then(
            () => null,
            (error) => (isFault(error, 'unreachable') ? true : null),
          );
        await until('unreachable', unreachable);
        const seen = await until('there again', () => runtime.inspect(uuid));
        assert.equal(seen.state.status, 'running');
      });
      return engine;
    });
  });

  test('a service left over by a killed program is replaced', async () => {
    const left = await findEngine(options(folder));
    const pid = async () => readFile(join(folder, 'engine', 'podman.pid'), 'utf8');
    const before = await pid();
    const engine = await findEngine({ ...options(folder) });
    assert.notEqual(await pid(), before);
    assert.throws(() => process.kill(Number(before), 0));
    await left.close();
    await engine.close();
  });

  test('two private Podmans do not see each other', async () => {
    const other = await newFolder();
    await withWorkload(await findEngine(options(folder)), folder, async (uuid, engine) => {
      const second = await findEngine(options(other));
      await withRuntime(second, other, async (runtime) => {
        assert.equal(await runtime.inspect(uuid), null);
        assert.deepEqual(await runtime.list(), []);
      });
      await second.close();
      return engine;
    });
  });
});

/** Resolves with what the event stream throws. */
async function watchUntilLost(runtime: DockerRuntime): Promise<unknown> {
  try {
    for await (const _ of runtime.events(new AbortController().signal));
    return null;
  } catch (error) {
    return error;
  }
}

/** Runs the test with a workload that sleeps; the engine it answers with removes everything and is closed. */
async function withWorkload(
  engine: FoundEngine,
  folder: string,
  body: (uuid: string, engine: FoundEngine) => Promise<FoundEngine>,
): Promise<void> {
  const uuid = randomUUID();
  let last = engine;
  try {
    await withRuntime(engine, folder, async (runtime, client) => {
      await loadImage(client, await buildBusyboxImage(), 'zun-test/busybox:latest');
      await runtime.create(plainWorkload({ uuid, image: 'zun-test/busybox:latest', command: ['sleep', '1000'] }));
      await runtime.start(uuid);
    });
    last = await body(uuid, engine);
  } finally {
    await withRuntime(last, folder, async (_, client) => removeAllContainers(client));
    await last.close();
  }
}

async function withRuntime(
  engine: FoundEngine,
  folder: string,
  body: (runtime: DockerRuntime, client: EngineClient) => Promise<void>,
): Promise<void> {
  const client = new EngineClient(engine.target);
  try {
    await body(new DockerRuntime({ engine: client, dataFolder: join(folder, 'runtime'), clock: systemClock }), client);
  } finally {
    await client.close();
  }
}
