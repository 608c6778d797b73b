import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { buildBusyboxImage } from '../../../src/local/busybox-image/build-busybox-image.ts';
import { openDataFolder } from '../../../src/local/data-folder.ts';
import { DemoClient } from '../../../src/programs/demo-client.ts';
import { holdings } from '../../bench/leftovers.ts';
import { PythonSession } from '../cli/python-session.ts';
import { freePorts } from '../engine/free-ports.ts';
import { type LocalRegistry, startLocalRegistry } from '../engine/local-registry.ts';
import { pushImage } from '../engine/push-image.ts';
import { until } from '../engine/until.ts';
import { SlowRegistry } from '../faults/slow-registry.ts';
import { assertAgreement, lookAt } from './agreement.ts';
import { wish } from './experiments.ts';
import { ProgramProcess } from './program-process.ts';
import { image, ProgramsWorld } from './programs-world.ts';

describe('the programs, each in a process of its own on one database', () => {
  let world: ProgramsWorld;
  let registry: LocalRegistry;
  let api: ProgramProcess;
  let agent: ProgramProcess;
  let workers: ProgramProcess[];
  const slows: SlowRegistry[] = [];
  const simple = { ...wish, nets: [], mounts: [] };

  before(async () => {
    world = await ProgramsWorld.open();
    registry = await startLocalRegistry();
    const { config, ...busybox } = await buildBusyboxImage();
    // Another than the one that the engine has, or nothing would be fetched.
    const named = Buffer.from(JSON.stringify({ ...JSON.parse(config.toString()), author: 'a registry' }));
    await pushImage(registry.host, 'busybox', '1.0', { ...busybox, config: named });
    const two = Promise.all([world.start('zun-compute'), world.start('zun-compute')]);
    [api, agent, workers] = await Promise.all([world.start('zun-api'), world.start('zun-compute-agent'), two]);
  });
  after(async () => {
    await world?.close();
    for (const slow of slows) await slow.close();
    await registry?.close();
  });

  /** A create whose image does not come: its layers are kept back. */
  const pulling = async (): Promise<{ slow: SlowRegistry; uuid: string }> => {
    const slow = await SlowRegistry.open(registry.host);
    slows.push(slow);
    const uuid = await world.create({ ...simple, image: `${slow.host}/busybox:1.0` });
    const ended = world.settled().then(async () => assert.fail(`it was not pulled: ${JSON.stringify(await world.show(uuid))}`));
    ended.catch(() => {});
    await Promise.race([slow.asked, ended]);
    return { slow, uuid };
  };
  const ownerOf = async (subject: string): Promise<string | null> => {
    const rows = await world.database.queries.selectFrom('openkeel_task').select('lease_owner').where('subject', '=', subject).execute();
    return rows[0]?.lease_owner ?? null;
  };

  test('each tells of its health, what it needs, and what it does', async () => {
    const needs = { api: ['database', 'engine', 'identity'], other: ['database', 'engine'] };
    for (const [program, wanted] of [
      [api, needs.api],
      [agent, needs.other],
      ...workers.map((worker) => [worker, needs.other] as const),
    ] as const) {
      assert.equal((await program.admin('/healthz')).status, 200);
      const { status, text } = await program.admin('/readyz');
      assert.equal(status, 200, text);
      assert.deepEqual(Object.keys(JSON.parse(text).dependencies), wanted);
    }
    for (const worker of workers) assert.ok((await worker.metric('zun_task_looks_total', 'found=')) > 0);
  });

  test('openstack makes a container, reads its output and its state, and takes it away', async () => {
    const python = await PythonSession.open(world.cloudsFile);
    try {
      const openstack = async (...args: string[]) => {
        const { exitCode, stdout, stderr } = await python.openstack('zun', args);
        assert.equal(exitCode, 0, `${args.join(' ')}: ${stdout}${stderr}`);
        return stdout;
      };
      await openstack(
        'appcontainer',
        'run',
        '--name',
        'first',
        '--cpu',
        '0.1',
        '--memory',
        '32',
        image,
        'sh',
        '-c',
        'echo hello; exec sleep 1000',
      );
      const show = async () => JSON.parse(await openstack('appcontainer', 'show', 'first', '-f', 'json'));
      await until('it runs', async () => ((await show()).status === 'Running' ? true : null), 60_000);
      assert.match(await openstack('appcontainer', 'logs', 'first'), /hello/);
      assert.equal(JSON.parse(await openstack('appcontainer', 'list', '-f', 'json')).length, 1);
      const services = JSON.parse((await python.openstack('zun-admin', ['appcontainer', 'service', 'list', '-f', 'json'])).stdout);
      assert.deepEqual(
        services.map((row: { Host: string; State: string }) => [row.Host, row.State]),
        [['node-1', 'up']],
      );
      await openstack('appcontainer', 'delete', '--stop', 'first');
      await world.settled();
      assert.deepEqual((await holdings(lookAt(world))).containers, []);
    } finally {
      await python.close();
    }
  });

  test('tasks are shared: of twenty each worker has some, and each task is done once', async () => {
    const uuids = await Promise.all(Array.from({ length: 20 }, () => world.create(simple)));
    await world.settled();
    for (const uuid of uuids) assert.equal((await world.show(uuid))?.status, 'Running');
    await assertAgreement(world);
    const done = await Promise.all(
      workers.map((worker) => worker.metric('zun_tasks_left_total', 'kind="container.create",outcome="succeeded"')),
    );
    assert.ok(
      done.every((count) => count > 0),
      `one of them had no work: ${done}`,
    );
    for (const uuid of uuids) await world.act('DELETE', uuid, '?stop=true');
    await world.settled();
    assert.deepEqual((await holdings(lookAt(world))).containers, []);
  });

  test('a delete that the API queues cancels what a worker runs, without waiting for it', async () => {
    const { slow, uuid } = await pulling();
    const began = performance.now();
    const { status, text } = await world.ask('DELETE', `/v1/containers/${uuid}?force=true`, undefined, 'zun-admin');
    assert.equal(status, 204, text);
    // The image never comes: only the cancellation ends the create.
    await until('the container is gone', async () => ((await world.show(uuid)) === null ? true : null), 60_000);
    // Docker lets another pull of the same layer wait for the end of the one that was given up.
    slow.letGo();
    console.log(`cancelled across processes and deleted within ${Math.round(performance.now() - began)} ms`);
    await assertAgreement(world);
  });

  test('SIGTERM hands back what takes longer than the grace period, and another goes on at once', async () => {
    const { slow, uuid } = await pulling();
    const owner = await ownerOf(uuid);
    const leaver = await leaverOf(owner);
    leaver.signal('SIGTERM');
    assert.equal(await leaver.ended(), 0, leaver.log);
    await until('another has it', async () => ((await ownerOf(uuid)) === owner ? null : true));
    slow.letGo();
    await world.settled();
    assert.equal((await world.show(uuid))?.status, 'Running');
    await world.act('DELETE', uuid, '?stop=true');
    await world.settled();
    workers = workers.filter((worker) => worker !== leaver);
  });

  const leaverOf = async (owner: string | null): Promise<ProgramProcess> => {
    for (const worker of workers) if ((await worker.ready()) === owner) return worker;
    return assert.fail(`no worker is ${owner}`);
  };

  test('standalone does not take the data folder of programs that run', async () => {
    await assert.rejects(openDataFolder(join(world.folder, 'data')), /in use by other programs/);
  });

  test('a database that nobody has upgraded is refused with the command that does', async () => {
    const own = await world.environment({ ZUN_DATABASE: `sqlite:///${world.folder}/empty.sqlite` });
    const programs = (['zun-api', 'zun-compute', 'zun-compute-agent'] as const).map((name) => ProgramProcess.spawn(name, own));
    for (const program of programs) {
      const { name } = program;
      assert.equal(await program.ended(), 1);
      assert.match(
        program.log,
        new RegExp(`^${name}: The database is empty: run 'zun-db-manage upgrade' once, then start this again\\.$`, 'm'),
      );
    }
  });

  test('on one machine SQLite does: an API, two workers and an agent share its file', async () => {
    const data = join(world.folder, 'sqlite');
    const database = `sqlite:///${data}/zun.sqlite`;
    await (await openDataFolder(data)).release();
    await world.migrate(database);
    const own = { ZUN_DATA: data, ZUN_DATABASE: database, ZUN_PORT: String(await freePorts(2)) };
    const names = ['zun-compute-agent', 'zun-compute', 'zun-compute', 'zun-api'] as const;
    const programs = await Promise.all(names.map((name) => world.start(name, own)));
    const client = await DemoClient.login(join(data, 'clouds.yaml'), 'zun');
    const made = await Promise.all(Array.from({ length: 8 }, () => client.request('POST', '/v1/containers?run=true', simple)));
    for (const { uuid } of made) {
      const seen = await client.until(`/v1/containers/${uuid}`, ({ status }) => status === 'Running' || status === 'Error');
      assert.equal(seen.status, 'Running', String(seen.status_reason));
    }
    await Promise.all(made.map(({ uuid }) => client.request('DELETE', `/v1/containers/${uuid}?stop=true`)));
    for (const { uuid } of made) await client.untilGone(`/v1/containers/${uuid}`);
    for (const program of programs) program.signal('SIGTERM');
    for (const program of programs) {
      assert.equal(await program.ended(), 0);
      assert.doesNotMatch(program.log, /"level":"error"/);
    }
  });

  test('all of them end with 0 when they are asked to', async () => {
    for (const program of [api, agent, ...workers]) program.signal('SIGTERM');
    for (const program of [api, agent, ...workers]) assert.equal(await program.ended(), 0, program.log);
  });
});
