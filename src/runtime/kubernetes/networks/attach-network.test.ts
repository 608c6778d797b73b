import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkNamespace } from '../../../../test/kubernetes-fake/fake-multus.ts';
import { networkedRuntime, on } from '../../../../test/kubernetes-fake/networked-runtime.ts';
import { runtimeOnFake } from '../../../../test/kubernetes-fake/runtime-on-fake.ts';
import { until } from '../../../../test/system/engine/until.ts';
import { plainWorkload } from '../../plain-workload.ts';
import { networkAnnotations } from './network-annotations.ts';

const blue = `${networkNamespace}/blue`;

test('a container that runs is on one more network, and so it is after its next starts', async () => {
  await using bench = await networkedRuntime();
  const uuid = await bench.started();
  await bench.runtime.connectNetwork(uuid, { ...on('blue'), ipv4: '10.5.0.9' });
  assert.equal((await bench.runtime.inspect(uuid))?.addresses[blue]?.ipv4, '10.5.0.9');
  assert.deepEqual(JSON.parse(bench.annotation(uuid, 'further') ?? ''), [
    { name: 'blue', namespace: networkNamespace, interface: 'eth1', ips: ['10.5.0.9/24'] },
  ]);
  await bench.startedAgain(uuid);
  assert.deepEqual(await bench.networks(uuid), ['cluster', blue]);
  assert.equal((await bench.runtime.inspect(uuid))?.addresses[blue]?.ipv4, '10.5.0.9');
});

test('whoever follows the events hears that the addresses have changed, and hears it once', async () => {
  await using bench = await networkedRuntime();
  const over = new AbortController();
  const heard: string[] = [];
  const opened = Promise.withResolvers<void>();
  const following = (async () => {
    for await (const { uuid, action } of bench.runtime.events(over.signal, () => opened.resolve())) heard.push(`${uuid} ${action}`);
  })();
  await opened.promise;
  const uuid = await bench.started();
  await until('the start is told', async () => (heard.length > 0 ? true : null));
  const before = heard.splice(0);
  await bench.runtime.connectNetwork(uuid, on('blue'));
  await bench.runtime.disconnectNetwork(uuid, blue);
  await bench.runtime.stop(uuid, 10);
  await until('the end is told', async () => (heard.at(-1) === `${uuid} die` ? true : null));
  over.abort();
  await following;
  assert.deepEqual([before.at(-1), heard], [`${uuid} start`, [`${uuid} update`, `${uuid} update`, `${uuid} die`]]);
});

test('one that was only created, or has ended, gets it at its next start', async () => {
  await using bench = await networkedRuntime();
  const uuid = await bench.created({ networks: [on('cluster')] });
  await bench.runtime.connectNetwork(uuid, on('blue'));
  await bench.runtime.start(uuid);
  assert.deepEqual(await bench.networks(uuid), ['cluster', blue]);
  await bench.runtime.stop(uuid, 10);
  await bench.runtime.connectNetwork(uuid, on('red'));
  await bench.runtime.start(uuid);
  assert.deepEqual(bench.selections(uuid), { eth1: 'blue', eth2: 'red' });
});

test('what is attached is attached: nothing is changed, of a first network neither', async () => {
  await using bench = await networkedRuntime();
  const uuid = await bench.started([on('red'), on('blue')]);
  const version = () => bench.find('pods', uuid)?.[1].metadata?.resourceVersion;
  const before = version();
  for (const name of ['blue', 'red']) await bench.runtime.connectNetwork(uuid, on(name));
  assert.equal(version(), before);
  assert.deepEqual(bench.selections(uuid), { eth1: 'blue' });
});

test('of several at once none is lost, on the Pod or its record', async () => {
  await using bench = await networkedRuntime();
  const uuid = await bench.started();
  await Promise.all(['red', 'green', 'blue', 'blue'].map((name) => bench.runtime.connectNetwork(uuid, on(name))));
  assert.deepEqual(Object.keys(bench.selections(uuid)).toSorted(), ['eth1', 'eth2', 'eth3']);
  assert.equal((await bench.networks(uuid)).length, 4);
  await bench.startedAgain(uuid);
  assert.equal((await bench.networks(uuid)).length, 4);
});

test("what another has just asked the Pod for is not lost, though it was not there at this one's look", async () => {
  await using bench = await networkedRuntime();
  const uuid = await bench.started();
  const other = JSON.stringify([{ name: 'red', namespace: networkNamespace, interface: 'eth1' }]);
  let isFirst = true;
  bench.intercept = ({ method, path }) => {
    if (isFirst && method === 'PATCH' && path.includes('/pods/')) {
      isFirst = false;
      bench.cluster.change(path, { metadata: { annotations: { [networkAnnotations.further]: other } } });
    }
    return false;
  };
  await bench.runtime.connectNetwork(uuid, on('blue'));
  assert.deepEqual(bench.selections(uuid), { eth1: 'red', eth2: 'blue' });
});

test('an interface that has become free is given again', async () => {
  await using bench = await networkedRuntime();
  const uuid = await bench.started([on('cluster'), on('red'), on('green')]);
  await bench.runtime.disconnectNetwork(uuid, `${networkNamespace}/red`);
  await bench.runtime.connectNetwork(uuid, on('blue'));
  assert.deepEqual(bench.selections(uuid), { eth1: 'blue', eth2: 'green' });
});

test('a container that was made without networks stays on the Pod network', async () => {
  await using bench = await networkedRuntime();
  const uuid = await bench.started([]);
  await bench.runtime.connectNetwork(uuid, on('blue'));
  await bench.startedAgain(uuid);
  assert.deepEqual(await bench.networks(uuid), ['cluster', blue]);
});

test('where nobody attaches, it fails at the deadline in words, and all is as it was', async () => {
  await using bench = await networkedRuntime();
  const uuid = await bench.started();
  bench.multus.follows = false;
  const attached = bench.runtime.connectNetwork(uuid, on('blue'));
  await Promise.all([
    assert.rejects(attached, {
      kind: 'failed',
      message:
        'Network networks/blue was not attached within 60 seconds: nothing on the cluster attaches networks to running Pods, as the dynamic networks controller of Multus does.',
    }),
    bench.tooLong(),
  ]);
  assert.deepEqual(bench.selections(uuid), {});
  await bench.startedAgain(uuid);
  assert.deepEqual(await bench.networks(uuid), ['cluster']);
});

test('whoever tried and failed has the word', async () => {
  await using bench = await networkedRuntime();
  const uuid = await bench.started();
  bench.multus.follows = false;
  const message = 'pod [zun-project/zun-1]: failed adding interface eth1 to network: blue';
  const event = { metadata: { name: 'e' }, reason: 'FailedAddingInterface', message, lastTimestamp: '2026-03-01T12:00:00Z' };
  bench.cluster.objects.set(`/api/v1/namespaces/zun-project/events/zun-${uuid}`, {
    ...event,
    metadata: { name: `zun-${uuid}` },
  } as object);
  await Promise.all([
    assert.rejects(bench.runtime.connectNetwork(uuid, on('blue')), {
      message: new RegExp(`60 seconds: ${message.replace(/[[\]]/g, '\\$&')}$`),
    }),
    bench.tooLong(),
  ]);
});

test('a Pod of a node without Multus is refused at once', async () => {
  await using bench = await networkedRuntime();
  bench.cluster.annotationsOnNode = () => ({});
  const uuid = await bench.started();
  await assert.rejects(bench.runtime.connectNetwork(uuid, on('blue')), {
    kind: 'unsupported',
    message: /Multus is not at work on node node-1/,
  });
  assert.deepEqual(bench.selections(uuid), {});
});

test('an attempt that died in between is finished by the next, wherever it was', async () => {
  await using bench = await networkedRuntime();
  const writes = async () => {
    const uuid = await bench.started();
    let count = 0;
    bench.intercept = ({ method }) => {
      if (method === 'PATCH') count += 1;
      return false;
    };
    await bench.runtime.connectNetwork(uuid, on('blue'));
    bench.intercept = () => false;
    return count;
  };
  const count = await writes();
  assert.ok(count >= 2);
  for (let dying = 1; dying <= count; dying += 1) {
    const uuid = await bench.started();
    const worker = new AbortController();
    let seen = 0;
    bench.intercept = ({ method }) => {
      if (method === 'PATCH' && ++seen === dying) setImmediate(() => worker.abort(new Error('killed')));
      return false;
    };
    await bench.runtime.connectNetwork(uuid, on('blue'), worker.signal).catch(() => {});
    bench.intercept = () => false;
    await bench.runtime.connectNetwork(uuid, on('blue'));
    assert.deepEqual([await bench.networks(uuid), bench.selections(uuid)], [['cluster', blue], { eth1: 'blue' }], `write ${dying}`);
  }
});

test('a network that does not exist is not-found, of a new container too', async () => {
  await using bench = await networkedRuntime();
  const uuid = await bench.started();
  const refusal = { kind: 'not-found', message: /network networks\/none not found/ };
  await assert.rejects(bench.runtime.connectNetwork(uuid, on('none')), refusal);
  await assert.rejects(bench.runtime.create(plainWorkload({ uuid: 'u', image: 'i', networks: [on('none')] })), refusal);
});

test('a process that does not see the interface has not got it: gVisor takes those that are there at its start', async () => {
  await using bench = await networkedRuntime();
  const uuid = await bench.started();
  bench.fake.answerSocket = (url) => ({
    protocol: 'v5.channel.k8s.io',
    run: (socket) => {
      assert.deepEqual(url.searchParams.getAll('command'), ['cat', '/proc/net/dev']);
      socket.send(Buffer.from('\x01    lo:       0\n  eth0:     42\n'));
      socket.send(Buffer.from(`\x03${JSON.stringify({ status: 'Success' })}`));
      socket.close(1000);
    },
  });
  const refusal = { kind: 'unsupported', message: /takes no network while it runs: stop the container, attach the network, start it\.$/ };
  await assert.rejects(bench.runtime.connectNetwork(uuid, on('blue')), refusal);
  assert.deepEqual(bench.selections(uuid), {});
  await bench.startedAgain(uuid);
  assert.deepEqual(await bench.networks(uuid), ['cluster']);
});

test('who may not look whether the process sees the interface does not say that it does', async () => {
  await using bench = await networkedRuntime();
  const uuid = await bench.started();
  const message =
    'pods "p" is forbidden: User "zun-compute" cannot get resource "pods/exec" in API group "" in the namespace "zun-project"';
  const body = JSON.stringify({ kind: 'Status', status: 'Failure', code: 403, reason: 'Forbidden', message });
  bench.fake.answerSocket = () => ({ refuse: { code: 403, body } });
  await assert.rejects(bench.runtime.connectNetwork(uuid, on('blue')), { kind: 'failed', message: /lacks a right in Kubernetes/ });
  assert.deepEqual(bench.selections(uuid), {});
});

test('a Pod that nobody puts on its networks fails its start in words, instead of running without them', async () => {
  await using bench = await networkedRuntime();
  bench.cluster.annotationsOnNode = () => ({});
  for (const networks of [[on('cluster'), on('blue')], [on('blue')]]) {
    const uuid = await bench.created({ networks });
    await assert.rejects(bench.runtime.start(uuid), {
      kind: 'unsupported',
      message: /was not put on the network networks\/blue: Multus is not at work/,
    });
    assert.equal(bench.find('pods', uuid), null);
    assert.match((await bench.runtime.inspect(uuid))?.state.error ?? '', /was not put on the network networks\/blue/);
  }
});

test('without a namespace of networks both are refused, in the words that the API has', async () => {
  await using bench = await runtimeOnFake();
  const uuid = await bench.created();
  const { network_attach: words = '' } = bench.runtime.refuses;
  assert.match(words, /kubernetes\.networkNamespace names no namespace/);
  await assert.rejects(bench.runtime.connectNetwork(uuid, on('blue')), { kind: 'unsupported', message: words });
  await assert.rejects(bench.runtime.disconnectNetwork(uuid, blue), { kind: 'unsupported', message: words });
});
