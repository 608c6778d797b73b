import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { runtimeOnFake } from '../../../test/kubernetes-fake/runtime-on-fake.ts';
import { kubePaths } from './client/kube-paths.ts';

/** Two projects with a container each that was not started; records of the second are refused. */
async function setUp(status: number, reason: string) {
  const bench = await runtimeOnFake();
  const [seen, unseen] = [await bench.created({ projectId: 'a' }), await bench.created({ projectId: 'b' })];
  bench.intercept = (asked) => {
    const isUnreadable = asked.method === 'GET' && asked.path.startsWith(kubePaths.secrets('zun-b'));
    if (isUnreadable)
      asked.refuse(status, reason, 'secrets is forbidden: User "u" cannot list resource "secrets" in the namespace "zun-b"');
    return isUnreadable;
  };
  return Object.assign(bench, { seen, unseen, listed: async () => (await bench.runtime.list()).map(({ uuid }) => uuid) });
}

test('a namespace whose records may not be read is left out of a listing, and what is in it is not thought gone', async () => {
  await using bench = await setUp(403, 'Forbidden');
  assert.deepEqual(await bench.listed(), [bench.seen]);
  await assert.rejects(bench.runtime.inspect(bench.unseen), { kind: 'failed', message: /lacks a right/ });
  assert.ok(bench.find('secrets', bench.unseen));
});

test('what nobody knows the namespace of is not thought gone while one of them cannot be read', async () => {
  await using bench = await setUp(403, 'Forbidden');
  await assert.rejects(bench.runtime.inspect(randomUUID()), { kind: 'failed', message: /lacks a right/ });
  await assert.rejects(bench.runtime.remove(randomUUID()), { kind: 'failed', message: /lacks a right/ });
});

test('a server that fails at one namespace fails the listing', async () => {
  await using bench = await setUp(500, 'InternalError');
  await assert.rejects(bench.listed(), { kind: 'unreachable' });
});

test('what runs is told also where records may not be read, and where namespaces are not listed', async () => {
  await using bench = await setUp(403, 'Forbidden');
  const readable = bench.intercept;
  bench.intercept = () => false;
  await bench.runtime.start(bench.unseen);
  bench.intercept = readable;
  assert.deepEqual((await bench.listed()).toSorted(), [bench.seen, bench.unseen].toSorted());
  bench.intercept = (asked) => {
    if (asked.path === kubePaths.namespaces) asked.json(200, { metadata: {}, items: [] });
    return asked.path === kubePaths.namespaces;
  };
  assert.deepEqual(await bench.listed(), [bench.unseen]);
  assert.equal((await bench.runtime.inspect(bench.seen))?.state.status, 'created');
});
