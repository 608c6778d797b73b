import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { NodeImage } from '../../src/runtime/kubernetes/node/node-access.ts';
import { isFault } from '../../src/runtime/runtime-fault.ts';
import { NodeWorld } from './node-world.ts';
import { StoredLayers } from './stored-layers.ts';

let world: NodeWorld;
let stored: StoredLayers;
/** Names of images that were made, to be taken away. */
const made: string[] = [];

before(async () => {
  world = await NodeWorld.start();
  stored = new StoredLayers(world.cluster);
});
after(async () => {
  for (const image of made) await world.access.removeImage(world.cluster.nodeName, image);
  await world.stop();
});

const script = 'trap exit TERM; echo ready; while :; do sleep 0.1; done';
const change = 'echo new >/www/new; echo changed >/www/index.html; rm /etc/group /bin/wget; rm -r /root; mkdir -p /d/e; ln -s e /d/link';
const look = 'cat /www/new /www/index.html; ls -d /etc/group /bin/wget /root /d/e/* 2>/dev/null; readlink /d/link; echo looked';
const looks = 'new\nchanged\ne\nlooked\n';

const base = () => `${world.cluster.registry}/busybox:1`;
const named = (name: string) => {
  const image = `zun.local/kept/${world.namespace}-${name}:latest`;
  made.push(image);
  return image;
};
const find = async (image: string): Promise<NodeImage | undefined> =>
  (await world.access.listImages(world.cluster.nodeName)).find(({ names }) => names.includes(image));

for (const runtimeClass of ['runc', 'gvisor']) {
  describe(`a filesystem under ${runtimeClass}`, () => {
    test('is kept of what runs, is paused or has ended, and the next Pod has it', async () => {
      const [name, image] = [`kept-${runtimeClass}`, named(`kept-${runtimeClass}`)];
      const baseLayers = (await stored.layersOf(base())).length;
      const first = await world.run(name, { script, runtimeClass });
      await world.exec(name, change);
      const running = await world.access.keep(first, image, base());
      assert.equal((await world.access.inspect(first))?.status, 'running');
      await world.access.pause(first);
      const paused = await world.access.keep(first, image, base());
      await world.access.stop(first, 0);
      const ended = await world.access.keep(first, image, base());
      assert.equal(new Set([running.id, paused.id, ended.id]).size, 3);
      assert.deepEqual((await find(image))?.id, ended.id);
      // What the name stood for before is gone.
      assert.equal(
        (await world.access.listImages(world.cluster.nodeName)).some(({ id }) => [running.id, paused.id].includes(id)),
        false,
      );
      const layers = await stored.layersOf(image);
      assert.equal(layers.length, baseLayers + 1);
      const members = await stored.membersOf(layers.at(-1) ?? '');
      for (const wanted of ['www/new', 'www/index.html', 'etc/.wh.group', 'bin/.wh.wget', '.wh.root'])
        assert.ok(members.includes(wanted), `${members}`);
      for (const kubelets of ['etc/hosts', 'etc/hostname', 'etc/resolv.conf', 'dev/', 'proc/', 'sys/'])
        assert.equal(members.includes(kubelets), false, `${members}`);
      await world.remove(name);

      const second = await world.run(name, { script, runtimeClass, image, imagePullPolicy: 'Never' });
      assert.equal(await world.exec(name, look), looks);
      assert.match(await world.exec(name, 'cat /etc/hosts'), new RegExp(name));
      await world.exec(name, 'rm /www/new; echo again >/again; echo back >/bin/wget');
      await world.access.stop(second, 0);
      // The kept image is as good a name for what it was made from as the base image is.
      await world.access.keep(second, image, image);
      assert.equal((await stored.layersOf(image)).length, baseLayers + 1);
      await world.remove(name);

      await world.run(name, { script, runtimeClass, image, imagePullPolicy: 'Never' });
      assert.equal(await world.exec(name, 'cat /again /bin/wget; ls /www/new /root 2>&1 | wc -l'), 'again\nback\n2\n');
      await world.remove(name);
      await world.access.removeImage(world.cluster.nodeName, image);
      await world.access.removeImage(world.cluster.nodeName, image);
      assert.equal(await find(image), undefined);
    });

    test('is committed while it goes on, pushed, and pulled again', async () => {
      const name = `committed-${runtimeClass}`;
      const [repository, tag] = [`${world.cluster.registry}/${world.namespace}/${runtimeClass}`, 'v1'];
      const image = `${repository}:${tag}`;
      made.push(image);
      const ref = await world.run(name, { script, runtimeClass });
      await world.exec(name, change);
      const { id, names, sizeBytes } = await world.access.commit(ref, base(), repository, tag);
      assert.deepEqual(names, [image]);
      assert.equal(sizeBytes, (await find(image))?.sizeBytes);
      assert.equal((await world.access.inspect(ref))?.status, 'running');
      const { digest } = await world.access.push(world.cluster.nodeName, image, null);
      assert.match(digest, /^sha256:[0-9a-f]{64}$/);
      // Nothing is sent twice, and the same is the same.
      assert.deepEqual(await world.access.push(world.cluster.nodeName, image, null), { digest });
      await world.remove(name);
      await world.access.removeImage(world.cluster.nodeName, image);
      await world.run(name, { script, runtimeClass, image, imagePullPolicy: 'Always' });
      assert.equal((await find(image))?.id, id);
      assert.equal(await world.exec(name, look), looks);
      await world.remove(name);
    });
  });
}

describe('an image of a node', () => {
  const runtimeClass = 'runc';

  test('is committed as a whole when layers of its base were thrown away, and exported', async () => {
    const repository = `zun.local/${world.namespace}/whole`;
    made.push(`${repository}:1`, `${repository}:2`);
    const first = await world.run('partial', { script, runtimeClass });
    await world.exec('partial', change);
    await world.access.commit(first, base(), repository, '1');
    await world.remove('partial');
    const layers = await stored.layersOf(`${repository}:1`);
    const second = await world.run('partial', { script, runtimeClass, image: `${repository}:1`, imagePullPolicy: 'Never' });
    await stored.throwAway(layers.at(-1) ?? '');
    await assert.rejects(world.access.push(world.cluster.nodeName, `${repository}:1`, null), (error) =>
      isFault(error, 'unreachable', 'failed'),
    );
    const { id } = await world.access.commit(second, `${repository}:1`, repository, '2');
    assert.equal((await stored.layersOf(`${repository}:2`)).length, 1);
    const archive = path.join(world.cluster.folder, `${world.namespace}.tar`);
    await writeFile(archive, await world.access.exportImage(world.cluster.nodeName, `${repository}:2`));
    await world.remove('partial');
    await world.access.removeImage(world.cluster.nodeName, `${repository}:2`);
    await world.cluster.loadImage(archive);
    assert.equal((await find(`${repository}:2`))?.id, id);
    await world.run('partial', { script, runtimeClass, image: `${repository}:2`, imagePullPolicy: 'Never' });
    assert.equal(await world.exec('partial', look), looks);
    await world.remove('partial');
  });

  test('is kept over what the container was made from, whatever became of the name', async () => {
    const image = named('renamed');
    const ref = await world.run('renamed', { script, runtimeClass });
    await world.exec('renamed', change);
    const expected = (await stored.layersOf(base())).length + 1;
    for (const name of ['zun.local/no/such:1', `${world.cluster.registry}/pause:1`]) {
      await world.access.keep(ref, image, name);
      assert.equal((await stored.layersOf(image)).length, expected);
    }
    await assert.rejects(
      world.access.keep(ref, 'Not A Name', base()),
      (error) => isFault(error, 'invalid') && /Not A Name/.test(error.message),
    );
    await world.remove('renamed');
  });

  test('that is not there cannot be pushed, nor one to a registry that does not answer', async () => {
    const { nodeName } = world.cluster;
    await assert.rejects(world.access.push(nodeName, 'zun.local/no/such:1', null), (error) => isFault(error, 'not-found'));
    const ref = await world.run('unsent', { script, runtimeClass });
    made.push('127.0.0.1:1/unsent:1');
    await world.access.commit(ref, base(), '127.0.0.1:1/unsent', '1');
    const refused = (error: unknown) => isFault(error, 'unreachable') && /127\.0\.0\.1:1/.test(error.message);
    await assert.rejects(world.access.push(nodeName, '127.0.0.1:1/unsent:1', { username: 'u', password: 'p' }), refused);
    await world.remove('unsent');
  });

  test('leaves nothing that containerd could not collect', async () => {
    const { stdout } = await world.cluster.exec(['ctr', '--namespace', 'k8s.io', 'leases', 'list', '--quiet']);
    assert.doesNotMatch(stdout, /^zun-/m);
  });
});
