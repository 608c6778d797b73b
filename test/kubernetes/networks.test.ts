import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { until } from '../system/engine/until.ts';
import { ClientSession, type ContainerView } from './client-session.ts';
import { makeTestNetwork, type TestNetwork } from './test-network.ts';

/** Ends as soon as it is told to. */
const endsOnTerm = ['sh', '-c', 'trap "exit 0" TERM; while :; do sleep 1 & wait $!; done'];

/** What users do with networks beside the Pod network, on a node whose plugins put Pods on them. */
describe('networks with openstack appcontainer on Kubernetes', () => {
  const instance = `n${randomBytes(3).toString('hex')}`;
  const namespace = `${instance}-nets`;
  let zun: ClientSession;
  let blue: TestNetwork;
  let red: TestNetwork;
  before(async () => {
    zun = await ClientSession.open(instance, { kubernetes: { networkNamespace: namespace }, deadlines: { networkSeconds: 10 } });
    await zun.cluster.kubectl('create', 'namespace', namespace);
    await zun.cluster.kubectl('label', 'namespace', namespace, `app.kubernetes.io/instance=${instance}`);
    blue = await makeTestNetwork(zun.cluster, namespace, `${instance}-blue`);
    red = await makeTestNetwork(zun.cluster, namespace, `${instance}-red`);
  });
  after(() => zun?.close());

  test('a container on two networks reaches another over one that was attached while it ran, until it is detached', async () => {
    const { addr: onBlue, uuid } = await runOn('first', blue);
    assert.match(await inside('first', 'ifconfig', 'eth1'), new RegExp(`inet addr:${onBlue}\\b`));
    assert.match(await inside('first', 'ifconfig', 'eth0'), /inet addr:10\.88\./);

    const second = await run('second');
    await attach('second', blue, '--fixed-ip', `${blue.prefix}.200`);
    await attached('second', blue, `${blue.prefix}.200`);
    assert.match(await inside('second', 'ifconfig', 'eth1'), new RegExp(`inet addr:${blue.prefix}\\.200\\b`));
    assert.match(await inside('second', 'ping', '-c', '2', '-W', '5', '-I', 'eth1', onBlue), /2 packets received/);
    assert.match(await inside('first', 'ping', '-c', '1', '-W', '5', `${blue.prefix}.200`), /1 packets received/);

    await zun.openstack('appcontainer', 'network', 'detach', '--network', blue.name, 'second');
    const detached = await settled('second', (seen) => addressOn(seen, blue) === null);
    assert.equal(Object.keys(detached.addresses ?? {}).length, 1);
    assert.doesNotMatch(await inside('second', 'ifconfig', '-a'), /eth1/);
    assert.deepEqual(await blue.leases(), [onBlue]);
    await removed(uuid, second.uuid);
    assert.deepEqual(await blue.leases(), []);
  });

  test('what was attached is there after stop and start, restart and rebuild, and gone with the container', async () => {
    const { uuid } = await run('keeper');
    await attach('keeper', red);
    await attached('keeper', red);
    await zun.openstack('appcontainer', 'stop', 'keeper');
    await zun.until('keeper', 'Stopped');
    await attach('keeper', blue);
    await settled('keeper', (seen) => Object.keys(seen.addresses ?? {}).length === 3);
    for (const [again, ...wishes] of [['start'], ['restart'], ['rebuild']] as const) {
      await zun.openstack('appcontainer', again, ...wishes, 'keeper');
      await zun.until('keeper', 'Running');
      for (const network of [red, blue]) {
        const addr = await attached('keeper', network);
        assert.match(await inside('keeper', 'ifconfig'), new RegExp(`inet addr:${addr}\\b`), `${network.name} after ${again}`);
      }
    }
    await removed(uuid);
    assert.deepEqual([await red.leases(), await blue.leases()], [[], []]);
  });

  test('without whoever attaches networks to running Pods the container stays as it was, and says why; its first network stays too', async () => {
    const { uuid } = await run('alone');
    await zun.cluster.kill('networks');
    try {
      await attach('alone', red);
      const failed = await settled('alone', ({ status_reason }) => status_reason !== null && status_reason !== '');
      assert.match(
        failed.status_reason ?? '',
        /was not attached within 10 seconds: nothing on the cluster attaches networks to running Pods/,
      );
      assert.deepEqual([failed.status, addressOn(failed, red)], ['Running', null]);
    } finally {
      await zun.cluster.start('networks');
    }
    assert.doesNotMatch(await inside('alone', 'ifconfig', '-a'), /eth1/);
    await zun.openstack('appcontainer', 'network', 'detach', '--network', 'cluster', 'alone');
    const kept = await settled('alone', ({ status_reason }) => /first of a container that runs/.test(status_reason ?? ''));
    assert.equal(Object.keys(kept.addresses ?? {}).length, 1);
    await removed(uuid);
    assert.deepEqual(await red.leases(), []);
  });

  test('an address that the network has given to another is refused in the words of the plugin', async () => {
    const { addr, uuid } = await runOn('holder', red);
    const late = await run('late');
    await attach('late', red, '--fixed-ip', addr);
    const failed = await settled('late', ({ status_reason }) => status_reason !== null && status_reason !== '');
    assert.match(failed.status_reason ?? '', /not available|already allocated/);
    await removed(uuid, late.uuid);
    assert.deepEqual(await red.leases(), []);
  });

  async function run(name: string, ...options: string[]): Promise<ContainerView> {
    await zun.openstack('appcontainer', 'run', '--name', name, ...options, zun.image, ...endsOnTerm);
    return zun.until(name, 'Running');
  }

  async function runOn(name: string, network: TestNetwork): Promise<ContainerView & { addr: string }> {
    const seen = await run(name, '--net', 'network=cluster', '--net', `network=${network.name}`);
    return { ...seen, addr: await attached(name, network) };
  }

  const attach = (name: string, network: TestNetwork, ...options: string[]) =>
    zun.openstack('appcontainer', 'network', 'attach', '--network', network.name, ...options, name);

  const inside = (name: string, ...command: string[]) => zun.openstack('appcontainer', 'exec', name, ...command);

  /** The address that the row shows on the network; `null` = it is not on it, or has none yet. */
  const addressOn = ({ addresses }: ContainerView, { prefix }: TestNetwork): string | null =>
    Object.values(addresses ?? {})
      .flat()
      .find(({ addr }) => addr.startsWith(`${prefix}.`))?.addr ?? null;

  async function attached(name: string, network: TestNetwork, addr?: string): Promise<string> {
    const seen = await settled(
      name,
      (now) => addressOn(now, network) !== null && (addr ?? addressOn(now, network)) === addressOn(now, network),
    );
    return addressOn(seen, network) ?? '';
  }

  /** The container once no task works on it and it satisfies. */
  async function settled(name: string, satisfies: (seen: ContainerView) => boolean): Promise<ContainerView> {
    let last: ContainerView | null = null;
    const ask = async () => {
      last = await zun.show(name);
      return last.task_state === null && satisfies(last) ? last : null;
    };
    return until(`${name} is as it should be`, ask, 60_000).catch((cause) => {
      throw new Error(`${JSON.stringify(last)}\n${zun.standalone.log}`, { cause });
    });
  }

  async function removed(...uuids: string[]): Promise<void> {
    for (const uuid of uuids) await zun.openstack('appcontainer', 'delete', '--stop', uuid);
    for (const uuid of uuids) await zun.untilGone(`/v1/containers/${uuid}`);
    assert.deepEqual(await zun.objectsOf(...uuids), []);
  }
});
