import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { ContainerBench, refusalOf } from '../../../../test/bench/container-bench.ts';
import { tarOf, untar } from '../../../../test/contract/runtime/tar.ts';

async function archives() {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  const put = (path: string, data: unknown, version = '1.40') =>
    bench.on(uuid, 'POST', 'put_archive', { version, query: { path }, json: { data } });
  const get = (path: string, version = '1.40') => bench.on(uuid, 'GET', 'get_archive', { version, query: { path } });
  return { bench, uuid, put, get };
}

test('a file goes in and comes out byte for byte, base64 from 1.25 on, with what stat says of it', async () => {
  const { put, get } = await archives();
  const bytes = randomBytes(3000);
  const stored = await put('/tmp/..', (await tarOf({ 'data.bin': bytes })).toString('base64'));
  assert.deepEqual([stored.status, stored.json], [200, null]);
  const { status, json } = await get('/data.bin');
  assert.equal(status, 200);
  const { data, stat } = json as { data: string; stat: Record<string, unknown> };
  assert.deepEqual(await untar(Buffer.from(data, 'base64')), { 'data.bin': bytes });
  assert.deepEqual([stat.name, stat.size, stat.mode, stat.linkTarget], ['data.bin', 3000, 0o644, '']);
});

test('before 1.25 the archive is text, and bytes that are none survive it', async () => {
  const { put, get } = await archives();
  for (const [name, bytes] of Object.entries({ plain: Buffer.from('hello é\n'), binary: Buffer.from([0, 0xff, 0x80, 0xc3]) })) {
    assert.equal((await put('/', (await tarOf({ [name]: bytes })).toString(name === 'plain' ? 'utf8' : 'latin1'), '1.24')).status, 200);
    const { data } = (await get(`/${name}`, '1.24')).json as { data: string };
    assert.equal((await put('/', data, '1.24')).status, 200);
    const again = (await get(`/${name}`)).json as { data: string };
    assert.deepEqual(await untar(Buffer.from(again.data, 'base64')), { [name]: bytes });
  }
});

test('archives with a wrong path are a 404 in the engine’s words, not a 500', async () => {
  const { put, get } = await archives();
  const tar = (await tarOf({ a: Buffer.from('') })).toString('base64');
  assert.match(refusalOf(await get('/no/such'), 404, 'container.not-found'), /\/no\/such/);
  assert.match(refusalOf(await get('/no/such', '1.24'), 404, 'container.not-found'), /\/no\/such/);
  assert.match(refusalOf(await put('/no/such', tar), 404, 'container.not-found'), /\/no\/such/);
});

test('archives that are no tar, and a file as their folder, are a 400, not a 500', async () => {
  const { put } = await archives();
  const tar = (await tarOf({ file: Buffer.from('') })).toString('base64');
  refusalOf(await put('/', Buffer.from('no archive at all').toString('base64')), 400, 'container.invalid');
  refusalOf(await put('/', ''), 400, 'container.invalid');
  refusalOf(await put('/', tar, '1.24'), 400, 'container.invalid');
  assert.equal((await put('/', tar)).status, 200);
  refusalOf(await put('/file', tar), 400, 'container.invalid');
});

test('data that is not base64 is a 400, not a 200', async () => {
  const { put } = await archives();
  for (const data of ['***', 'YQ', 'é===']) {
    assert.equal(refusalOf(await put('/tmp', data), 400, 'container.base-64-exception'), 'Invalid Base 64 file data');
  }
});

test('archives without path or data are a 400 that names it, not a 500', async () => {
  const { bench, uuid, put } = await archives();
  assert.match(refusalOf(await bench.on(uuid, 'GET', 'get_archive'), 400, 'container.schema-validation-error'), /'path'/);
  assert.match(
    refusalOf(await bench.on(uuid, 'POST', 'put_archive', { json: { data: 'x' } }), 400, 'container.schema-validation-error'),
    /'path'/,
  );
  assert.match(refusalOf(await put('/', undefined), 400, 'container.schema-validation-error'), /'data'/);
  refusalOf(await put('/', 5), 400, 'container.schema-validation-error');
});

test('a stopped container gives and takes files too', async () => {
  const { bench, uuid, put, get } = await archives();
  await bench.runtime.stop(uuid, 0);
  assert.equal((await put('/', (await tarOf({ late: Buffer.from('1') })).toString('base64'))).status, 200);
  assert.equal((await get('/late')).status, 200);
});
