import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Asked, FakeApiServer } from '../../../test/kubernetes-fake/fake-api-server.ts';
import { until } from '../../../test/system/engine/until.ts';
import { systemClock } from '../../telemetry/clock.ts';
import { KubeClient } from './client/kube-client.ts';
import { KubeError } from './client/kube-error.ts';
import { podEvents } from './pod-events.ts';

/** Somebody who follows the Pods of a server whose watches are in the hands of the test. */
async function setUp() {
  const stack = new AsyncDisposableStack();
  const fake = stack.use(await FakeApiServer.start());
  const client = new KubeClient(fake.config());
  stack.defer(() => client.close());
  const watches: Asked[] = [];
  fake.answer = (asked) => {
    if (asked.query.get('watch') !== 'true') return asked.json(200, { metadata: { resourceVersion: '5' }, items: [] });
    watches.push(asked);
    asked.response.writeHead(200, { 'content-type': 'application/json' });
    asked.response.flushHeaders();
  };
  const over = new AbortController();
  const heard: string[] = [];
  const follow = async () => {
    const events = podEvents(client, systemClock, 'zun', over.signal, (happening) => heard.push(happening));
    for await (const { uuid, action } of events) heard.push(`${uuid} ${action}`);
  };
  const following = follow();
  following.catch(() => {});
  stack.defer(async () => {
    over.abort();
    await following.catch(() => {});
  });
  return {
    heard,
    following,
    /** Of the watch that is open. */
    send: (type: string, object: object) => watches.at(-1)?.response.write(`${JSON.stringify({ type, object })}\n`),
    cut: () => watches.at(-1)?.response.destroy(),
    watches: (count: number) => until(`${count} watches`, async () => (watches.length === count ? true : null)),
    hears: (what: string, times = 1) =>
      until(`${what} ${times} times`, async () => (heard.filter((each) => each === what).length === times ? true : null)),
    from: () => watches.map(({ query }) => query.get('resourceVersion')),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const pod = (resourceVersion: string) => ({
  metadata: {
    name: 'zun-u',
    resourceVersion,
    labels: { 'zun.openstack.org/workload': 'u', 'zun.openstack.org/kind': 'container' },
  },
  spec: { containers: [{ name: 'main', image: 'busybox' }] },
  status: {
    phase: 'Running',
    containerStatuses: [{ name: 'main', ready: true, restartCount: 0, state: { running: { startedAt: '2026-03-01T12:00:00Z' } } }],
  },
});

test('a stream says when all is told, when its connection is there, that it lives, and that it was cut; it goes on from where it was', async () => {
  await using bench = await setUp();
  await bench.hears('connected');
  bench.send('ADDED', pod('6'));
  await bench.hears('u start');
  bench.send('BOOKMARK', { metadata: { resourceVersion: '9' } });
  await bench.hears('alive');
  bench.send('MODIFIED', pod('10'));
  bench.send('BOOKMARK', { metadata: { resourceVersion: '12' } });
  await bench.hears('alive', 2);
  bench.cut();
  await bench.watches(2);
  await bench.hears('connected', 2);
  assert.deepEqual(bench.heard, ['opened', 'connected', 'u start', 'alive', 'alive', 'disconnected', 'connected']);
  assert.deepEqual(bench.from(), ['5', '12']);
});

test('a version that the server has forgotten is told before it is thrown', async () => {
  await using bench = await setUp();
  await bench.hears('connected');
  bench.send('ERROR', { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' });
  await assert.rejects(bench.following, (error) => error instanceof KubeError && error.status === 410);
  assert.deepEqual(bench.heard, ['opened', 'connected', 'expired']);
});
