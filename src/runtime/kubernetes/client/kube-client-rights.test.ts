import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeApiServer } from '../../../../test/kubernetes-fake/fake-api-server.ts';
import { systemClock } from '../../../telemetry/clock.ts';
import { KubeClient } from './kube-client.ts';

const pods = { method: 'POST' as const, path: '/api/v1/namespaces/n/pods', body: {} };
const words = 'pods is forbidden: User "u" cannot create resource "pods" in API group "" in the namespace "n"';

/** A server that refuses so often, and a client whose clock does not wait. */
async function setUp(refusals: number) {
  const fake = await FakeApiServer.start();
  fake.answer = (asked) => (fake.asked.length > refusals ? asked.json(201, { made: true }) : asked.refuse(403, 'Forbidden', words));
  fake.answerSocket = () => ({ refuse: { code: 403, body: words } });
  const waits: number[] = [];
  const client = new KubeClient(fake.config(), undefined, { ...systemClock, sleep: async (milliseconds) => void waits.push(milliseconds) });
  const stack = new AsyncDisposableStack();
  stack.use(fake);
  stack.defer(() => client.close());
  return { fake, client, waits, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test('what lacks a right is asked again once that is regained, also by servers that hear of it later', async () => {
  await using bench = await setUp(3);
  const regained: string[] = [];
  bench.client.onLackOfRight(async (path) => {
    regained.push(path);
    return true;
  });
  assert.deepEqual(await bench.client.request(pods), { made: true });
  assert.deepEqual([regained, bench.waits], [[pods.path], [50, 100, 200]]);
});

test('a right that does not come is told in the words of the server after seven tries in six seconds', async () => {
  await using bench = await setUp(Number.POSITIVE_INFINITY);
  bench.client.onLackOfRight(async () => true);
  await assert.rejects(bench.client.request(pods), { status: 403, message: words });
  assert.equal(bench.fake.asked.length, 8);
  assert.equal(
    bench.waits.reduce((sum, wait) => sum + wait, 0),
    6350,
  );
});

test('what is in the way of a right is told in place of the refusal, of sockets too', async () => {
  await using bench = await setUp(Number.POSITIVE_INFINITY);
  bench.client.onLackOfRight(() => Promise.reject(new Error('the namespace is gone')));
  await assert.rejects(bench.client.connect('/api/v1/namespaces/n/pods/p/exec', [], ['v5.channel.k8s.io']), /the namespace is gone/);
});

test('nothing is asked again where the right is not regained, or nobody says how', async () => {
  await using bench = await setUp(Number.POSITIVE_INFINITY);
  await assert.rejects(bench.client.request(pods), { status: 403 });
  bench.client.onLackOfRight(async () => false);
  await assert.rejects(bench.client.request(pods), { status: 403 });
  assert.deepEqual([bench.fake.asked.length, bench.waits], [2, []]);
});
