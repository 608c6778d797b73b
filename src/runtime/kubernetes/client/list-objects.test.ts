import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeApiServer } from '../../../../test/kubernetes-fake/fake-api-server.ts';
import { FakeCollection, type FakeObject } from '../../../../test/kubernetes-fake/fake-collection.ts';
import { KubeClient } from './kube-client.ts';
import { listObjects } from './list-objects.ts';

async function setUp(count: number) {
  const stack = new AsyncDisposableStack();
  const fake = stack.use(await FakeApiServer.start());
  const collection = new FakeCollection();
  fake.answer = collection.answer;
  for (let index = 0; index < count; index++) collection.set(`pod-${index}`, index);
  const client = new KubeClient(fake.config());
  stack.defer(() => client.close());
  const list = () => listObjects<FakeObject>(client, '/api/v1/pods', { labelSelector: 'a=b' }, undefined, 'application/json;as=Less');
  return { fake, collection, list, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test('a list comes in pages of 500, as of one moment, with the same query and shape each', async () => {
  await using bench = await setUp(1_201);
  const { version } = bench.collection;
  bench.collection.intercept = () => {
    // Comes in between, and is not in the list.
    if (bench.collection.asked.lists === 2) bench.collection.set('later', 1);
    return false;
  };
  const { items, resourceVersion } = await bench.list();
  assert.equal(resourceVersion, version);
  assert.deepEqual(
    items.map(({ value }) => value),
    Array.from({ length: 1_201 }, (_, index) => index),
  );
  assert.equal(bench.fake.asked.length, 3);
  for (const { query, headers } of bench.fake.asked) {
    assert.deepEqual([query.get('labelSelector'), query.get('limit'), headers.accept], ['a=b', '500', 'application/json;as=Less']);
  }
});

test('a list whose continuation has expired is begun again', async () => {
  await using bench = await setUp(700);
  bench.collection.intercept = () => {
    if (bench.collection.asked.lists === 2) {
      bench.collection.delete('pod-0');
      bench.collection.compact();
    }
    return false;
  };
  const { items } = await bench.list();
  assert.equal(items.length, 699);
  assert.equal(bench.collection.asked.lists, 4);
});

test('a list that expires again and again is asked for in one piece', async () => {
  await using bench = await setUp(700);
  bench.collection.intercept = (asked) => {
    if (asked.query.has('continue')) bench.collection.compact();
    return false;
  };
  assert.equal((await bench.list()).items.length, 700);
  assert.equal(bench.fake.asked.at(-1)?.query.has('limit'), false);
});

test('a page that fails fails the list', async () => {
  await using bench = await setUp(700);
  bench.collection.intercept = (asked) => {
    if (asked.query.has('continue')) asked.refuse(500, 'InternalError', 'etcd is gone');
    return asked.query.has('continue');
  };
  await assert.rejects(bench.list(), { name: 'KubeError', status: 500, message: 'etcd is gone' });
});

test('nothing there is an empty list, also where Kubernetes writes null', async () => {
  await using bench = await setUp(0);
  assert.deepEqual(await bench.list(), { items: [], resourceVersion: '100' });
  bench.fake.answer = (asked) => asked.json(200, { metadata: { resourceVersion: '7' }, items: null });
  assert.deepEqual(await bench.list(), { items: [], resourceVersion: '7' });
});
