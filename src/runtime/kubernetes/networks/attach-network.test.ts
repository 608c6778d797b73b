import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StandingClock } from '../../../../test/bench/standing-clock.ts';
import { FakeMultus, networkNamespace } from '../../../../test/kubernetes-fake/fake-multus.ts';
import { runtimeOnFake } from '../../../../test/kubernetes-fake/runtime-on-fake.ts';
import { until } from '../../../../test/system/engine/until.ts';
import { plainWorkload } from '../../plain-workload.ts';
import { networkAnnotations } from './network-annotations.ts';
import type { NetworkSelection } from './network-selections.ts';

const on = (name: string) => ({
  engineNetwork: name === 'cluster' ? name : `${networkNamespace}/${name}`,
  ipv4: null,
  ipv6: null,
  mac: null,
});
const bridge = { type: 'bridge', capabilities: { ips: true }, ipam: { type: 'host-local', subnet: '10.5.0.0/24' } };

/** A runtime on a cluster with Multus and three networks, whose clock stands: an interface has a minute of it. */
async function networked() {
  const clock = new StandingClock();
  const bench = await runtimeOnFake(undefined, { settings: { networkNamespace, networkDeadlineSeconds: 60 }, clock });
  const multus = new FakeMultus(bench.cluster, { red: bridge, green: bridge, blue: bridge });
  const annotation = (uuid: string, key: keyof typeof networkAnnotations) =>
    bench.find('pods', uuid)?.[1].metadata?.annotations?.[networkAnnotations[key]];
  return Object.assign(bench, {
    multus,
    clock,
    annotation,
    async started(networks = [on('cluster')]): Promise<string> {
      const uuid = await bench.created({ networks });
      await bench.runtime.start(uuid);
      return uuid;
    },
    /** What the Pod asks for, by interface. */
    selections(uuid: string): Record<string, string> {
      const list = JSON.parse(annotation(uuid, 'further') ?? '[]') as NetworkSelection[];
      return Object.fromEntries(list.map((each) => [each.interface, each.name]));
    },
    async networks(uuid: string): Promise<string[]> {
      return Object.keys((await bench.runtime.inspect(uuid))?.addresses ?? {}).toSorted();
    },
    async startedAgain(uuid: string): Promise<void> {
      await bench.runtime.stop(uuid, 10);
      await bench.runtime.start(uuid);
    },
    /** Moves on once the Pod is watched: longer than an interface may take. */
    async tooLong(): Promise<void> {
      let watches = 0;
      bench.intercept = (asked) => {
        if (asked.query.get('watch') === 'true') watches += 1;
        return false;
      };
      await until('the Pod is watched', async () => (watches > 0 ? true : null));
      await clock.advance(61_000);
    },
  });
}

const blue = `${networkNamespace}/blue`;

describe('attach', () => {
  test('a container that runs is on one more network, and so it is after its next starts', async () => {
    await using bench = await networked();
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

  test('one that was only created, or has ended, gets it at its next start', async () => {
    await using bench = await networked();
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
    await using bench = await networked();
    const uuid = await bench.started([on('red'), on('blue')]);
    const version = () => bench.find('pods', uuid)?.[1].metadata?.resourceVersion;
    const before = version();
    for (const name of ['blue', 'red']) await bench.runtime.connectNetwork(uuid, on(name));
    assert.equal(version(), before);
    assert.deepEqual(bench.selections(uuid), { eth1: 'blue' });
  });

  test('of several at once none is lost, on the Pod or its record', async () => {
    await using bench = await networked();
    const uuid = await bench.started();
    await Promise.all(['red', 'green', 'blue', 'blue'].map((name) => bench.runtime.connectNetwork(uuid, on(name))));
    assert.deepEqual(Object.keys(bench.selections(uuid)).toSorted(), ['eth1', 'eth2', 'eth3']);
    assert.equal((await bench.networks(uuid)).length, 4);
    await bench.startedAgain(uuid);
    assert.equal((await bench.networks(uuid)).length, 4);
  });

  test('an interface that has become free is given again', async () => {
    await using bench = await networked();
    const uuid = await bench.started([on('cluster'), on('red'), on('green')]);
    await bench.runtime.disconnectNetwork(uuid, `${networkNamespace}/red`);
    await bench.runtime.connectNetwork(uuid, on('blue'));
    assert.deepEqual(bench.selections(uuid), { eth1: 'blue', eth2: 'green' });
  });

  test('a container that was made without networks stays on the Pod network', async () => {
    await using bench = await networked();
    const uuid = await bench.started([]);
    await bench.runtime.connectNetwork(uuid, on('blue'));
    await bench.startedAgain(uuid);
    assert.deepEqual(await bench.networks(uuid), ['cluster', blue]);
  });

  test('where nobody attaches, it fails at the deadline in words, and all is as it was', async () => {
    await using bench = await networked();
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
    await using bench = await networked();
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
    await using bench = await networked();
    bench.cluster.annotationsOnNode = () => ({});
    const uuid = await bench.started();
    await assert.rejects(bench.runtime.connectNetwork(uuid, on('blue')), {
      kind: 'unsupported',
      message: /Multus is not at work on node node-1/,
    });
    assert.deepEqual(bench.selections(uuid), {});
  });

  test('an attempt that died in between is finished by the next, wherever it was', async () => {
    await using bench = await networked();
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
    await using bench = await networked();
    const uuid = await bench.started();
    const refusal = { kind: 'not-found', message: /network networks\/none not found/ };
    await assert.rejects(bench.runtime.connectNetwork(uuid, on('none')), refusal);
    await assert.rejects(bench.runtime.create(plainWorkload({ uuid: 'u', image: 'i', networks: [on('none')] })), refusal);
  });

  test('a process that does not see the interface has not got it: gVisor takes those that are there at its start', async () => {
    await using bench = await networked();
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
});

describe('detach', () => {
  test('a container that runs loses the network, and so it stays; again it is nothing to do', async () => {
    await using bench = await networked();
    const uuid = await bench.started([on('cluster'), on('blue')]);
    await bench.runtime.disconnectNetwork(uuid, blue);
    await bench.runtime.disconnectNetwork(uuid, blue);
    assert.deepEqual([await bench.networks(uuid), bench.annotation(uuid, 'further')], [['cluster'], '[]']);
    await bench.startedAgain(uuid);
    assert.deepEqual(await bench.networks(uuid), ['cluster']);
  });

  test('one that has ended loses it at its next start, the first one too', async () => {
    await using bench = await networked();
    const uuid = await bench.started([on('cluster'), on('blue'), on('red')]);
    await bench.runtime.stop(uuid, 10);
    await bench.runtime.disconnectNetwork(uuid, 'cluster');
    await bench.runtime.disconnectNetwork(uuid, `${networkNamespace}/red`);
    await bench.runtime.start(uuid);
    assert.deepEqual(await bench.networks(uuid), [blue]);
  });

  test('the first network of what runs, and the only one of any, stay', async () => {
    await using bench = await networked();
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
    await using bench = await networked();
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
    await using bench = await networked();
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
});

test('a Pod that nobody puts on its networks fails its start in words, instead of running without them', async () => {
  await using bench = await networked();
  bench.cluster.annotationsOnNode = () => ({});
  for (const networks of [[on('cluster'), on('blue')], [on('blue')]]) {
    const uuid = await bench.created({ networks });
    await assert.rejects(bench.runtime.start(uuid), {
      kind: 'unsupported',
      message: /was not put on its networks .*Multus is not at work/,
    });
    assert.equal(bench.find('pods', uuid), null);
    assert.match((await bench.runtime.inspect(uuid))?.state.error ?? '', /was not put on its networks/);
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
