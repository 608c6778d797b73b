import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { buildBusyboxImage } from '../../src/local/busybox-image/build-busybox-image.ts';
import { DockerImageStore } from '../../src/runtime/docker/docker-image-store.ts';
import { EngineClient } from '../../src/runtime/docker/engine-client.ts';
import { isFault, type RuntimeFaultKind } from '../../src/runtime/runtime-fault.ts';
import { freePort } from './engine/free-port.ts';
import { type LocalRegistry, registryLogin, startLocalRegistry } from './engine/local-registry.ts';
import { startPrivateDocker } from './engine/private-docker.ts';
import { startPrivatePodman } from './engine/private-podman.ts';
import { type PushedImage, pushImage } from './engine/push-image.ts';
import type { TestEngine } from './engine/test-engine.ts';

const engines: [string, () => Promise<TestEngine>][] = [
  ['Docker', startPrivateDocker],
  ['Podman', startPrivatePodman],
];

for (const [name, start] of engines) describe(`${name} image store`, () => imageStoreTests(start));

function imageStoreTests(start: () => Promise<TestEngine>): void {
  let engine: TestEngine;
  let client: EngineClient;
  let images: DockerImageStore;
  let open: LocalRegistry;
  let closed: LocalRegistry;
  let pushed: PushedImage;

  before(async () => {
    engine = await start();
    client = new EngineClient(engine.target);
    images = new DockerImageStore(client);
    open = await startLocalRegistry();
    closed = await startLocalRegistry({ login: true });
    const image = await buildBusyboxImage({ command: ['sleep', '1000'], exposedPorts: ['80/tcp'] });
    pushed = await pushImage(open.host, 'busybox', 'v1', image);
    await pushImage(closed.host, 'private', 'v1', image, registryLogin);
  });

  after(async () => {
    await client.close();
    await engine.close();
    await open.close();
    await closed.close();
  });

  test('a pull from a registry without TLS on this machine stores the image under its reference', async () => {
    const image = await images.pull(`${open.host}/busybox`, 'v1', null);
    assert.deepEqual(image.references, [`${open.host}/busybox:v1`]);
    assert.ok(image.sizeBytes > 1_000_000);
    assert.deepEqual(await images.list(), [image]);
  });

  test('a pull by digest answers the same image', async () => {
    const byTag = await images.pull(`${open.host}/busybox`, 'v1', null);
    const byDigest = await images.pull(`${open.host}/busybox`, pushed.digest, null);
    assert.equal(byDigest.id, byTag.id);
    assert.equal((await images.find(`${open.host}/busybox@${pushed.digest}`))?.id, byTag.id);
  });

  test('a pull with the right login succeeds', async () => {
    const image = await images.pull(`${closed.host}/private`, 'v1', registryLogin);
    assert.deepEqual(image.references.includes(`${closed.host}/private:v1`), true);
  });

  test('a missing tag and a missing repository are not-found with the words of the registry', async () => {
    await refused(images.pull(`${open.host}/busybox`, 'nosuch', null), 'not-found', /manifest unknown/);
    await refused(images.pull(`${open.host}/nosuch`, 'v1', null), 'not-found', /manifest unknown|name unknown/);
  });

  test('no login and a wrong one are denied with the words of the registry', async () => {
    await images.remove(`${closed.host}/private:v1`);
    await refused(images.pull(`${closed.host}/private`, 'v1', null), 'denied', /auth/);
    await refused(images.pull(`${closed.host}/private`, 'v1', { ...registryLogin, password: 'wrong' }), 'denied', /unauthorized|auth/);
    assert.equal(await images.find(`${closed.host}/private:v1`), null);
  });

  test('a registry that does not answer is unreachable', async () => {
    await refused(images.pull(`127.0.0.1:${await freePort()}/busybox`, 'v1', null), 'unreachable', /connection refused/);
  });

  test('a name that is none is invalid', async () => {
    await refused(images.pull(`${open.host}/Busy Box`, 'v1', null), 'invalid', /./);
  });

  test('removing one of two references keeps the other', async () => {
    const image = await images.pull(`${open.host}/busybox`, 'v1', null);
    await client.request({ method: 'POST', path: `/images/${image.id}/tag`, query: { repo: 'other', tag: 'v2' } });
    assert.equal((await images.find('other:v2'))?.id, image.id);
    await images.remove('other:v2');
    assert.equal(await images.find('other:v2'), null);
    assert.equal((await images.find(`${open.host}/busybox:v1`))?.id, image.id);
  });

  test('a search in a registry finds by part of the name, or exactly', async (t) => {
    if (engine.target.kind === 'docker') return t.skip('Docker searches Docker Hub only');
    const names = async (term: string, exact: boolean) => (await images.search(term, exact)).map((hit) => hit.name);
    assert.deepEqual(await names(`${open.host}/busy`, false), [`${open.host}/busybox`]);
    assert.deepEqual(await names(`${open.host}/busybox`, true), [`${open.host}/busybox`]);
    assert.deepEqual(await names(`${open.host}/busy`, true), []);
    assert.deepEqual(await names(`${open.host}/nosuch`, false), []);
  });

  test('a search that no registry answers is a fault with words', async () => {
    await refused(images.search('busybox', false), ['unreachable', 'failed'], /./);
  });
}

async function refused(call: Promise<unknown>, kinds: RuntimeFaultKind | RuntimeFaultKind[], words: RegExp): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(isFault(error, ...[kinds].flat()), `expected ${kinds}, got ${isFault(error) ? `${error.kind}: ${error.message}` : error}`);
    assert.match(error.message, words);
    return true;
  });
}
