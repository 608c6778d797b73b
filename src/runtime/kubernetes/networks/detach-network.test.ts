import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkNamespace } from '../../../../test/kubernetes-fake/fake-multus.ts';
import { networkedRuntime, on } from '../../../../test/kubernetes-fake/networked-runtime.ts';

const blue = `${networkNamespace}/blue`;

test('a container that runs loses the network, and so it stays; again it is nothing to do', async () => {
  await using bench = await networkedRuntime();
  const uuid = await bench.started([on('cluster'), on('blue')]);
  await bench.runtime.disconnectNetwork(uuid, blue);
  await bench.runtime.disconnectNetwork(uuid, blue);
  assert.deepEqual([await bench.networks(uuid), bench.annotation(uuid, 'further')], [['cluster'], '[]']);
  await bench.startedAgain(uuid);
  assert.deepEqual(await bench.networks(uuid), ['cluster']);
});

test('one that has ended loses it at its next start, the first one too', async () => {
  await using bench = await networkedRuntime();
  const uuid = await bench.started([on('cluster'), on('blue'), on('red')]);
  await bench.runtime.stop(uuid, 10);
  await bench.runtime.disconnectNetwork(uuid, 'cluster');
  await bench.runtime.disconnectNetwork(uuid, `${networkNamespace}/red`);
  await bench.runtime.start(uuid);
  assert.deepEqual(await bench.networks(uuid), [blue]);
});

test('the first network of what runs, and the only one of any, stay', async () => {
  await using bench = await networkedRuntime();
  const first = { kind: 'conflict', message: /is the first of a container that runs, which it cannot lose: stop it first/ };
  const uuid = await bench.started([on('cluster'), on('blue')]);
  await assert.rejects(bench.runtime.disconnectNetwork(uuid, 'cluster'), first);
  const other = await bench.started([on('red'), on('blue')]);
  await assert.rejects(bench.runtime.disconnectNetwork(other, `${networkNamespace}/red`), first);
  await bench.runtime.stop(uuid, 10);
  await bench.runtime.disconnectNetwork(uuid, blue);
  await assert.rejects(bench.runtime.disconnectNetwork(uuid, 'cluster'), {
    kind: 'conflict',
    message: /is the only one of the container/,
  });
});

test('the Pod network comes to a container that is on others when it is stopped, as its first', async () => {
  await using bench = await networkedRuntime();
  const uuid = await bench.started([on('red')]);
  await assert.rejects(bench.runtime.connectNetwork(uuid, on('cluster')), {
    kind: 'conflict',
    message: /stop the container, attach it, start it/,
  });
  await bench.runtime.stop(uuid, 10);
  await bench.runtime.connectNetwork(uuid, on('cluster'));
  await bench.runtime.start(uuid);
  assert.deepEqual([await bench.networks(uuid), bench.selections(uuid)], [['cluster', `${networkNamespace}/red`], { eth1: 'red' }]);
});

test('where nobody detaches, it fails at the deadline in words, and all is as it was', async () => {
  await using bench = await networkedRuntime();
  const uuid = await bench.started([on('cluster'), on('blue'), on('red')]);
  bench.multus.follows = false;
  await Promise.all([
    assert.rejects(bench.runtime.disconnectNetwork(uuid, blue), {
      kind: 'failed',
      message: /was not detached within 60 seconds: nothing on the cluster detaches networks/,
    }),
    bench.tooLong(),
  ]);
  assert.deepEqual(bench.selections(uuid), { eth1: 'blue', eth2: 'red' });
  await bench.startedAgain(uuid);
  assert.deepEqual(bench.selections(uuid), { eth1: 'blue', eth2: 'red' });
});
