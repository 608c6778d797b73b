import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StandingClock } from '../../../../test/bench/standing-clock.ts';
import { FakeApiServer } from '../../../../test/kubernetes-fake/fake-api-server.ts';
import { until } from '../../../../test/system/engine/until.ts';
import { KubeClient } from './kube-client.ts';

const pods = { method: 'GET' as const, path: '/api/v1/pods', silenceMs: 100 };

/** A server whose connections can die as those of a load balancer that fails over do: they stay, and nothing comes of them. */
async function setUp() {
  const fake = await FakeApiServer.start();
  const dead = new Set<number>();
  let dying = 0;
  fake.answer = (asked) => {
    if (dying > 0) {
      dying -= 1;
      dead.add(asked.remotePort);
    }
    if (!dead.has(asked.remotePort)) asked.json(200, {});
  };
  const clock = new StandingClock();
  const client = new KubeClient(fake.config(), undefined, clock);
  const stack = new AsyncDisposableStack();
  stack.use(fake);
  stack.defer(() => client.close());
  return {
    fake,
    dead,
    clock,
    client,
    /** The connections that the next so many calls come on are dead. */
    dieWithNext(calls: number) {
      dying = calls;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test('a read whose connection is dead without a word is asked once more, and no other connection of that time is used again', async () => {
  await using bench = await setUp();
  await Promise.all([1, 2, 3].map(() => bench.client.request(pods)));
  const before = bench.fake.asked.map(({ remotePort }) => remotePort);
  bench.dieWithNext(1);
  assert.deepEqual(await bench.client.request(pods), {});
  await bench.client.request(pods);
  const after = bench.fake.asked.slice(4).map(({ remotePort }) => remotePort);
  assert.equal(after.length, 2);
  assert.ok(after.every((port) => !before.includes(port) && !bench.dead.has(port)));
});

test('reads that find their connections dead at the same time are all answered', async () => {
  await using bench = await setUp();
  bench.dieWithNext(3);
  await Promise.all([1, 2, 3].map(() => bench.client.request(pods)));
  assert.equal(bench.fake.asked.length, 6);
});

test('a change that nobody answers is not asked again, and the next one is made on a new connection', async () => {
  await using bench = await setUp();
  const change = { ...pods, method: 'PATCH' as const, body: {} };
  bench.dieWithNext(1);
  await assert.rejects(bench.client.request(change), { kind: 'unreachable', message: 'The Kubernetes API server did not answer in time.' });
  assert.equal(bench.fake.asked.length, 1);
  assert.deepEqual(await bench.client.request(change), {});
});

test('a server that is silent on new connections as well is unreachable', async () => {
  await using bench = await setUp();
  bench.fake.answer = () => {};
  await assert.rejects(bench.client.request(pods), { kind: 'unreachable', message: 'The Kubernetes API server did not answer in time.' });
  assert.equal(bench.fake.asked.length, 2);
});

test('a server that is about to go or to come says when to ask again, and is asked then, changes too', async () => {
  await using bench = await setUp();
  bench.fake.answer = (asked) => {
    if (bench.fake.asked.length === 1) asked.refuse(503, 'ServiceUnavailable', 'apiserver is shutting down', { 'retry-after': '2' });
    else asked.json(200, { made: true });
  };
  const answers: unknown[] = [];
  const call = bench.client.request({ ...pods, method: 'POST', body: {} }).then((answer) => answers.push(answer));
  await until('the call was refused', async () => (bench.fake.asked.length === 1 ? true : null));
  assert.deepEqual(answers, []);
  await until('the time has come', () => bench.clock.advance(2_000).then(() => answers[0] ?? null));
  await call;
  assert.deepEqual(answers, [{ made: true }]);
  bench.fake.answer = (asked) => asked.refuse(503, 'ServiceUnavailable', 'maintenance', { 'retry-after': '3600' });
  await assert.rejects(bench.client.request(pods), { status: 503, retryAfterSeconds: 3600 });
});
