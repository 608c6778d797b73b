import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { until } from '../system/engine/until.ts';
import { ClientSession } from './client-session.ts';

/** Says what it is told, and ends with 0 when it is told to stop. */
const worker = ['sh', '-c', 'trap "echo bye; exit 0" TERM; echo ready; while :; do sleep 1 & wait $!; done'];

/** What users do with python-zunclient's `openstack appcontainer`, on Pods of a real kubelet behind `npm start`. */
describe('openstack appcontainer on Kubernetes', () => {
  let zun: ClientSession;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zun-client-'));
    zun = await ClientSession.open(`c${randomBytes(4).toString('hex')}`);
  });
  after(async () => {
    await zun?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('the life of a container: run, stop, start with its files, restart, pause, unpause, kill, delete, nothing left', async () => {
    await zun.openstack('appcontainer', 'run', '--name', 'web', zun.image, ...worker);
    const running = await zun.until('web', 'Running');
    assert.match(Object.values(running.addresses ?? {}).flat()[0]?.addr ?? '', /^\d+\.\d+\.\d+\.\d+$/);
    assert.match(await zun.openstack('appcontainer', 'exec', 'web', 'sh', '-c', 'echo kept > /kept; cat /kept'), /kept/);
    await zun.openstack('appcontainer', 'stop', 'web');
    assert.match((await zun.until('web', 'Stopped')).status_detail ?? '', /^Exited\(0\)/);
    assert.match(await zun.openstack('appcontainer', 'logs', 'web'), /ready\nbye/);
    await zun.openstack('appcontainer', 'start', 'web');
    await zun.until('web', 'Running');
    assert.match(await zun.openstack('appcontainer', 'exec', 'web', 'cat', '/kept'), /kept/);
    await zun.openstack('appcontainer', 'restart', 'web');
    await zun.until('web', 'Running');
    await zun.openstack('appcontainer', 'pause', 'web');
    await zun.until('web', 'Paused');
    await zun.openstack('appcontainer', 'unpause', 'web');
    await zun.until('web', 'Running');
    await zun.openstack('appcontainer', 'kill', '--signal', 'SIGKILL', 'web');
    assert.match((await zun.until('web', 'Stopped')).status_detail ?? '', /^Exited\(137\)/);
    await zun.openstack('appcontainer', 'delete', 'web');
    await zun.untilGone('/v1/containers/web');
    assert.deepEqual(await zun.objectsOf(running.uuid), []);
  });

  test('copies, processes, figures, limits, a new name, a commit and a container of it', async () => {
    await zun.openstack('appcontainer', 'run', '--name', 'tools', '--memory', '64', '--cpu', '0.2', zun.image, ...worker);
    const { uuid } = await zun.until('tools', 'Running');
    await writeFile(join(folder, 'in.txt'), 'brought in\n');
    await zun.openstack('appcontainer', 'cp', join(folder, 'in.txt'), 'tools:/tmp');
    await mkdir(join(folder, 'out'));
    await zun.openstack('appcontainer', 'cp', 'tools:/tmp/in.txt', join(folder, 'out'));
    assert.equal(await readFile(join(folder, 'out/in.txt'), 'utf8'), 'brought in\n');
    const top = JSON.parse((await zun.http('zun', 'GET', '/v1/containers/tools/top')).text);
    assert.ok(JSON.stringify(top).includes('trap'), JSON.stringify(top));
    assert.match(await zun.openstack('appcontainer', 'stats', 'tools'), /MEM LIMIT\(MiB\) +\| +64/);
    await zun.openstack('appcontainer', 'set', '--memory', '96', 'tools');
    await zun.until('tools', 'Running');
    assert.match(await zun.openstack('appcontainer', 'stats', 'tools'), /MEM LIMIT\(MiB\) +\| +96/);
    await zun.openstack('appcontainer', 'set', '--name', 'toolbox', 'tools');
    await zun.openstack('appcontainer', 'commit', 'toolbox', 'zun-test-committed:v1');
    await zun.until('toolbox', 'Running');
    // The commit goes on after its answer, and nothing that a user may ask tells of its end: until then there is no such image.
    const image = ['--image-driver', 'glance', 'zun-test-committed'];
    const copied = async () => {
      await zun.openstack('appcontainer', 'run', '--name', 'copy', ...image, 'sh', '-c', 'cat /tmp/in.txt; sleep 1000');
      const seen = await zun.untilSettled('copy');
      if (seen.status === 'Running') return seen;
      assert.match(seen.status_reason ?? '', /zun-test-committed could not be found/);
      await removed(seen.uuid);
      return null;
    };
    const copy = await until('a container of the committed image runs', copied, 120_000);
    assert.match(await zun.openstack('appcontainer', 'logs', 'copy'), /brought in/);
    await removed(uuid, copy.uuid);
  });

  test('an image that there is not, and a command that there is not, are errors in the words of registry and node', async () => {
    await zun.openstack('appcontainer', 'run', '--name', 'nameless', `${zun.cluster.registry}/no-such-image:1`);
    assert.match((await zun.until('nameless', 'Error')).status_reason ?? '', /no-such-image.*not found/);
    await zun.openstack('appcontainer', 'create', '--name', 'early', `${zun.cluster.registry}/no-such-image:1`);
    assert.match((await zun.until('early', 'Error')).status_reason ?? '', /no-such-image.*not found/);
    await zun.openstack('appcontainer', 'run', '--name', 'clueless', zun.image, 'no-such-program');
    assert.match((await zun.until('clueless', 'Error')).status_reason ?? '', /no-such-program/);
    await removed(...(await Promise.all(['nameless', 'early', 'clueless'].map(async (name) => (await zun.show(name)).uuid))));
  });

  test('a container under each runtime class, and one with a volume whose files outlive it', async () => {
    const admin = (...argv: string[]) => zun.openstackAs('zun-admin', 'appcontainer', ...argv);
    await admin('run', '--name', 'sandboxed', '--runtime', 'gvisor', zun.image, 'sh', '-c', 'dmesg; sleep 1000');
    await admin('run', '--name', 'plumbing', '--runtime', 'kata', zun.image, 'sleep', '1000');
    const [sandboxed, plumbing] = [
      await zun.until('sandboxed', 'Running', 'zun-admin'),
      await zun.until('plumbing', 'Running', 'zun-admin'),
    ];
    assert.match(await admin('logs', 'sandboxed'), /gVisor/);
    assert.equal(plumbing.runtime, 'kata');
    const script = ['sh', '-c', 'cat /data/file; echo data > /data/file; sleep 1000'];
    await zun.openstack('appcontainer', 'run', '--name', 'keeper', '--mount', 'size=1,destination=/data', zun.image, ...script);
    const keeper = await zun.until('keeper', 'Running');
    await zun.openstack('appcontainer', 'rebuild', 'keeper');
    await zun.until('keeper', 'Running');
    assert.match(await zun.openstack('appcontainer', 'logs', 'keeper'), /^data/m);
    for (const name of ['sandboxed', 'plumbing']) await admin('delete', '--stop', name);
    for (const { uuid } of [sandboxed, plumbing]) await zun.untilGone(`/v1/containers/${uuid}`, 'zun-admin');
    assert.deepEqual(await zun.objectsOf(sandboxed.uuid, plumbing.uuid), []);
    await removed(keeper.uuid);
  });

  test('a capsule is one Pod: init container first, then its containers, deleted as one', async () => {
    const container = (...command: string[]) => ({ image: zun.image, command });
    const template = {
      kind: 'capsule',
      capsuleVersion: 'beta',
      metadata: { name: 'pair' },
      restartPolicy: 'Always',
      spec: {
        initContainers: [container('sh', '-c', 'echo prepared')],
        containers: [container(...worker), container('sh', '-c', 'echo second; sleep 1000')],
      },
    };
    const file = join(folder, 'capsule.yaml');
    await writeFile(file, JSON.stringify(template));
    await zun.openstack('capsule', 'create', '--file', file);
    const capsule = await untilRunning('pair');
    const pods = await zun.cluster.kubectl('get', 'pods', '-A', '-l', `zun.openstack.org/workload=${capsule.uuid}`, '-o', 'name');
    assert.equal(pods.trim().split('\n').length, 1);
    assert.deepEqual(
      capsule.containers.map(({ status }) => status),
      ['Running', 'Running'],
    );
    assert.deepEqual(
      capsule.init_containers.map(({ status }) => status),
      ['Stopped'],
    );
    await zun.openstack('capsule', 'delete', 'pair');
    await zun.untilGone('/v1/capsules/pair');
    assert.deepEqual(await zun.objectsOf(capsule.uuid), []);
  });

  /** Deletes containers, whatever they do, and sees that nothing is left of them. */
  async function removed(...uuids: string[]): Promise<void> {
    for (const uuid of uuids) await zun.openstack('appcontainer', 'delete', '--stop', uuid);
    for (const uuid of uuids) await zun.untilGone(`/v1/containers/${uuid}`);
    assert.deepEqual(await zun.objectsOf(...uuids), []);
  }

  async function untilRunning(name: string) {
    type Capsule = { uuid: string; status: string; containers: { status: string }[]; init_containers: { status: string }[] };
    return until(
      `${name} runs`,
      async () => {
        const capsule = JSON.parse((await zun.http('zun', 'GET', `/v1/capsules/${name}`)).text) as Capsule;
        assert.notEqual(capsule.status, 'Error', JSON.stringify(capsule));
        return capsule.status === 'Running' && capsule.containers.every(({ status }) => status === 'Running') ? capsule : null;
      },
      120_000,
    );
  }
});
