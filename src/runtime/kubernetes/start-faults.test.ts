import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runtimeOnFake } from '../../../test/kubernetes-fake/runtime-on-fake.ts';
import { until } from '../../../test/system/engine/until.ts';

test('a start whose Pod is refused leaves what was only created, not what has vanished', async () => {
  await using bench = await runtimeOnFake();
  const uuid = await bench.created();
  const words = 'pods "p" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1';
  bench.intercept = (asked) => {
    const isPod = asked.method === 'POST' && asked.path.endsWith('/pods');
    if (isPod) asked.refuse(403, 'Forbidden', words);
    return isPod;
  };
  await assert.rejects(bench.runtime.start(uuid), { kind: 'failed', message: words });
  const seen = await bench.runtime.inspect(uuid);
  assert.deepEqual([seen?.state.status, seen?.state.error, seen?.state.startedAt], ['created', '', null]);
});

test('a start that seems to have failed and has not is none that failed', async () => {
  await using bench = await runtimeOnFake();
  const uuid = await bench.created();
  const waiting = { reason: 'InvalidImageName', message: 'invalid reference format' };
  const deletes: number[] = [];
  bench.intercept = (asked) => {
    if (asked.method === 'DELETE') deletes.push(asked.response.statusCode);
    if (asked.query.get('watch') !== 'true') return false;
    // A server behind the others tells late what another worker has put right.
    const [, pod] = bench.find('pods', uuid) ?? [];
    const status = { phase: 'Pending', containerStatuses: [{ name: 'main', state: { waiting } }] };
    const event = { type: 'MODIFIED', object: { ...pod, metadata: { ...pod?.metadata, resourceVersion: '1' }, status } };
    asked.response.writeHead(200, { 'content-type': 'application/json' }).write(`${JSON.stringify(event)}\n`);
    return true;
  };
  assert.equal((await bench.runtime.start(uuid))?.state.status, 'running');
  assert.equal(deletes.length, 1);
  assert.ok(bench.find('pods', uuid));
});

test('a Pod that goes is waited for by the start that is to take its place: its processes end before new ones begin', async () => {
  await using bench = await runtimeOnFake();
  const uuid = await bench.created();
  await bench.runtime.start(uuid);
  bench.cluster.kubeletWorks = false;
  const [path = '', before] = bench.find('pods', uuid) ?? [];
  const graces: unknown[] = [];
  bench.intercept = (asked) => {
    if (asked.method === 'DELETE') graces.push(JSON.parse(asked.body).gracePeriodSeconds);
    return false;
  };
  bench.cluster.objects.set(path, { ...before, metadata: { ...before?.metadata, deletionTimestamp: new Date() } });
  const started = bench.runtime.start(uuid);
  await until('the Pod is told to go soon', async () => (graces.length > 0 ? true : null));
  assert.deepEqual(graces, [1]);
  bench.cluster.kubeletWorks = true;
  bench.cluster.remove(path);
  assert.equal((await started)?.state.status, 'running');
  assert.notEqual(bench.find('pods', uuid)?.[1].metadata?.uid, before?.metadata?.uid);
});

test('a Pod that nobody finds in a list is asked for by name before it counts as gone', async () => {
  await using bench = await runtimeOnFake();
  const uuid = await bench.created();
  await bench.runtime.start(uuid);
  bench.cluster.kubeletWorks = false;
  let lists = 0;
  bench.intercept = (asked) => {
    if (asked.method !== 'GET' || !asked.path.endsWith('/pods')) return false;
    if (asked.query.get('watch') === 'true') asked.refuse(410, 'Expired', 'too old resource version');
    else {
      lists += 1;
      asked.json(200, { metadata: { resourceVersion: '1000' }, items: [] });
    }
    return true;
  };
  const removed = bench.runtime.remove(uuid);
  await until('the list was empty', async () => (lists > 1 ? true : null));
  assert.ok(bench.find('secrets', uuid), 'the record of a Pod that is still there stays');
  bench.cluster.remove(bench.find('pods', uuid)?.[0] ?? '');
  await removed;
  assert.equal(bench.find('secrets', uuid), null);
});

test('the end of a Pod of the same name that was there before is not the end of the one that starts', async () => {
  await using bench = await runtimeOnFake();
  const uuid = await bench.created();
  bench.cluster.kubeletWorks = false;
  let told = false;
  bench.intercept = (asked) => {
    if (asked.query.get('watch') !== 'true' || told) return false;
    told = true;
    const [path = '', pod] = bench.find('pods', uuid) ?? [];
    const { metadata } = pod ?? {};
    const event = { type: 'DELETED', object: { ...pod, metadata: { ...metadata, uid: 'before', resourceVersion: '1' } } };
    asked.response.writeHead(200, { 'content-type': 'application/json' }).write(`${JSON.stringify(event)}\n`);
    // It comes to run, and the server ends the watch.
    const state = { running: { startedAt: '2026-03-01T12:00:00Z' } };
    const status = { phase: 'Running', containerStatuses: [{ name: 'main', state, restartCount: 0, image: '', imageID: '', ready: true }] };
    bench.cluster.objects.set(path, { ...pod, status } as never);
    return true;
  };
  assert.equal((await bench.runtime.start(uuid))?.state.status, 'running');
});

test('what an earlier attempt of a start has run is not run again, though it has ended by the time that this one looks', async () => {
  await using bench = await runtimeOnFake();
  const uuid = await bench.created();
  await bench.runtime.start(uuid);
  await bench.runtime.stop(uuid, 1);
  const uidNow = () => bench.find('pods', uuid)?.[1].metadata?.uid;
  const [, { metadata, status }] = bench.find('pods', uuid) ?? assert.fail();
  const startedAt = Date.parse(String(status?.containerStatuses?.[0]?.state?.terminated?.startedAt));
  assert.equal(await bench.runtime.start(uuid, undefined, startedAt - 1000), null);
  assert.equal(await bench.runtime.start(uuid, undefined, 0), null);
  assert.equal(uidNow(), metadata?.uid);
  // That is the start that the row tells of.
  assert.equal((await bench.runtime.start(uuid, undefined, startedAt))?.state.status, 'running');
  assert.notEqual(uidNow(), metadata?.uid);
});

test('a Pod whose worker died before it said so has run all the same', async () => {
  await using bench = await runtimeOnFake();
  const uuid = await bench.created();
  bench.intercept = (asked) => {
    const isNote = asked.method === 'PATCH' && asked.path.includes('/secrets/');
    if (isNote) asked.refuse(503, 'ServiceUnavailable', 'etcd is gone');
    return isNote;
  };
  await assert.rejects(bench.runtime.start(uuid), { kind: 'unreachable' });
  bench.intercept = () => false;
  await bench.runtime.start(uuid);
  bench.cluster.remove(bench.find('pods', uuid)?.[0] ?? '');
  const seen = await bench.runtime.inspect(uuid);
  assert.deepEqual([seen?.state.status, seen?.state.exitCode], ['exited', 137]);
});
