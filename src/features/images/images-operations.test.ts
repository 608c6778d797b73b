import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type TaskBench, taskBench } from '../../../test/bench/task-bench.ts';
import { defaultPolicy } from '../../../test/contract/default-policy.ts';
import { operationCaller } from '../../../test/contract/operation-caller.ts';
import { memoryImage } from '../../runtime/memory/memory-image.ts';
import { MemoryImageStore } from '../../runtime/memory/memory-image-store.ts';
import { RuntimeFault } from '../../runtime/runtime-fault.ts';
import { runSaga } from '../../tasks/saga-runner.ts';
import { TaskSignal } from '../../tasks/task-signal.ts';
import { randomIds } from '../../telemetry/ids.ts';
import { silentLogger } from '../../telemetry/logger.ts';
import { imagesOperations } from './images-operations.ts';
import { imageSagas } from './sagas/image-sagas.ts';

describe('images', () => {
  let bench: TaskBench;
  let call: ReturnType<typeof operationCaller>;
  let interfere: (name: string) => void = () => {};
  const images = new MemoryImageStore({
    registry: { 'reg:5000/busybox:latest': { image: memoryImage('busybox') } },
    before: (name) => interfere(name),
  });

  before(async () => {
    bench = await taskBench();
    call = operationCaller(
      imagesOperations({
        database: bench.database,
        policy: defaultPolicy(),
        tasks: bench.store,
        taskSignal: new TaskSignal(),
        images,
        clock: bench.clock,
        ids: randomIds,
        logger: silentLogger,
        settings: { defaultImageDriver: 'docker', defaultRegistry: 'reg:5000' },
        maxLimit: 1000,
      }),
    );
    const zeros = { mem_total: 0, mem_free: 0, mem_available: 0, mem_used: 0, cpus: 0, cpu_used: 0, disk_total: 0, disk_used: 0 };
    const counts = { total_containers: 0, running_containers: 0, paused_containers: 0, stopped_containers: 0 };
    const node = { uuid: 'n1', hostname: 'node', rp_uuid: 'n1', disk_quota_supported: 0, enable_cpu_pinning: 0, ...zeros, ...counts };
    await bench.database.queries.insertInto('compute_node').values(node).execute();
  });
  after(() => bench.database.close());

  /** Runs the queued task as a worker does; answers how that ended. */
  async function work(signal = new AbortController().signal) {
    const task = await bench.store.claim('w');
    const [saga] = imageSagas({ images, clock: bench.clock, logger: silentLogger });
    assert.ok(task && saga && task.kind === saga.kind);
    return runSaga({ ...bench, logger: silentLogger }, saga, task, signal);
  }
  const pull = async (repo: string) => {
    const reply = await call('admin', 'POST /v1/images', { repo, host: 'node' });
    return { ...reply, uuid: (reply.body as { uuid: string }).uuid };
  };
  const list = async (query = '') => (await call('admin', `GET /v1/images${query}`)).body as { images: { uuid: string }[]; next: unknown };
  const message = (reply: { status: number; body?: unknown }) => `${reply.status} ${(reply.body as { message?: string }).message}`;

  test('a pull is accepted, and shows id and size once the host has the image; repo and tag stay as asked', async () => {
    const reply = await pull('busybox');
    const { uuid } = reply;
    assert.equal(reply.status, 202);
    assert.equal(reply.headers?.location, `http://h:1/v1/images/${uuid}`);
    const view = {
      uuid,
      links: [
        { href: `http://h:1/v1/images/${uuid}`, rel: 'self' },
        { href: `http://h:1/images/${uuid}`, rel: 'bookmark' },
      ],
      image_id: null,
      project_id: 'admin-project',
      repo: 'reg:5000/busybox',
      tag: 'latest',
      size: null,
      host: 'node',
    };
    assert.deepEqual(reply.body, view);
    assert.equal(await work(), 'ended');
    const stored = await images.find('reg:5000/busybox:latest');
    assert.ok(stored);
    const shown = await call('admin', `GET /v1/images/${uuid}`);
    assert.deepEqual(shown.body, { ...view, image_id: stored.id, size: String(stored.sizeBytes) });
    assert.deepEqual((await list()).images, [shown.body]);
    assert.deepEqual((await list('?limit=1')).next, `http://h:1/v1/images?sort_key=id&sort_dir=asc&limit=1&marker=${uuid}`);
    assert.deepEqual(await list(`?marker=${uuid}`), { images: [], next: null });
  });

  test('the same image on the same host is a conflict; host and name must be good; pulling is for admins', async () => {
    assert.equal(message(await pull('reg:5000/busybox:latest')), '409 An image with tag latest and repo reg:5000/busybox already exists.');
    const missingHost = await call('admin', 'POST /v1/images', { repo: 'busybox', host: 'nowhere' });
    assert.equal(message(missingHost), '400 The host nowhere does not exist.');
    assert.equal(message(await pull('Ab:%%')), "400 Invalid value 'Ab:%%' for repo: invalid reference format.");
    assert.equal((await call('demo', 'POST /v1/images', { repo: 'busybox', host: 'node' })).status, 403);
    assert.equal(await bench.store.claim('w'), null);
  });

  test('a failed pull leaves no row, and its 400 says why (surprise 17: a row without id and reason for ever)', async () => {
    const { uuid } = await pull('nosuch:v1');
    assert.equal(await work(), 'ended');
    assert.deepEqual((await list()).images.map((image) => image.uuid).includes(uuid), false);
    assert.match(
      message(await call('admin', `GET /v1/images/${uuid}`)),
      /^400 Image .* could not be found\. Pulling it failed: manifest for reg:5000\/nosuch:v1 not found/,
    );
    assert.equal(message(await call('demo', `GET /v1/images/${uuid}`)), `400 Image ${uuid} could not be found.`);
    assert.equal((await pull('nosuch:v1')).status, 202);
    await work();
  });

  test('a store that does not answer for a moment is asked again', async () => {
    const { uuid } = await pull('reg:5000/again:v1');
    interfere = () => {
      throw new RuntimeFault('unreachable', 'no engine');
    };
    assert.equal(await work(), 'released');
    interfere = () => {};
    assert.equal((await call('admin', `GET /v1/images/${uuid}`)).status, 200);
    await bench.clock.sleep(60_000);
    assert.equal(await work(), 'ended');
  });

  test('a missing image, and one named by its repo, is 400', async () => {
    assert.equal(message(await call('admin', 'GET /v1/images/nginx')), '400 Image nginx could not be found.');
    assert.equal((await call('admin', 'DELETE /v1/images/70000000-0000-4000-8000-0000000000ff')).status, 400);
    assert.equal((await call('admin', 'GET /v1/images?marker=nope')).status, 400);
    assert.equal((await call('demo', 'GET /v1/images')).status, 403);
  });

  test('a delete takes image and row; one that a container uses stays, with the reason', async () => {
    const [image] = (await list()).images;
    assert.ok(image);
    interfere = (name) => {
      if (name === 'remove') throw new RuntimeFault('conflict', 'image is being used by running container 1');
    };
    assert.equal(message(await call('admin', `DELETE /v1/images/${image.uuid}`)), '409 image is being used by running container 1');
    interfere = () => {};
    assert.deepEqual(await call('admin', `DELETE /v1/images/${image.uuid}`), { status: 200 });
    assert.equal(await images.find('reg:5000/busybox:latest'), null);
    assert.deepEqual((await list()).images, []);
  });

  test('deleting an image that is still being pulled gives the pull up', async () => {
    const { uuid } = await pull('busybox');
    assert.deepEqual(await call('admin', `DELETE /v1/images/${uuid}`), { status: 200 });
    assert.equal(await work(), 'ended');
    assert.deepEqual((await list()).images, []);
    assert.equal(await images.find('reg:5000/busybox:latest'), null);
  });

  test('a search answers every user in the shape of the original; what cannot be searched is told', async () => {
    await pull('busybox');
    await work();
    const found = await call('demo', 'GET /v1/images/busybox/search?exact_match=false');
    assert.equal(found.status, 200);
    const [hit] = found.body as Record<string, unknown>[];
    assert.deepEqual(Object.keys(hit ?? {}).sort(), ['description', 'is_automated', 'metadata', 'name']);
    assert.equal((await call('demo', 'GET /v1/images/Ab%25/search')).status, 400);
    assert.equal((await call('demo', 'GET /v1/images/busybox/search?image_driver=glance')).status, 409);
    interfere = () => {
      throw new RuntimeFault('failed', 'the registry says no');
    };
    assert.equal(message(await call('demo', 'GET /v1/images/busybox/search')), '503 the registry says no');
    interfere = () => {};
  });
});
