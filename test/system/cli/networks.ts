import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../engine/until.ts';
import { type ContainerView, refused, type ZunSession } from './zun-session.ts';

interface Attachment {
  net_id: string;
  port_id: string;
  fixed_ips: { ip_address: string; subnet_id: string }[];
}

/** Networks, and containers on them. zunclient has no call for networks themselves. */
export function networks(open: () => ZunSession): void {
  const createNetwork = async (name: string): Promise<{ neutron_net_id: string; name: string }> => {
    const answer = await open().http('zun-admin', 'POST', '/v1/networks', { name, neutron_net_id: name });
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text);
  };
  const deleteNetwork = (ident: string) => open().http('zun-admin', 'DELETE', `/v1/networks/${ident}`);
  const attachments = (uuid: string) => open().call<Attachment[]>('containers.network_list', [uuid]);
  /** The addresses a container has in the engine. */
  const addressesInEngine = async (uuid: string) => {
    const { NetworkSettings } = await open().inspect(uuid);
    return Object.values(NetworkSettings.Networks)
      .map(({ IPAddress }) => IPAddress)
      .sort();
  };
  const addresses = ({ addresses }: ContainerView) =>
    Object.values(addresses ?? {})
      .flat()
      .map(({ addr }) => addr)
      .sort();

  describe('networks', () => {
    test('a container without a wish is on the default network, under the address that is shown', async () => {
      const zun = open();
      const container = await zun.run();
      assert.deepEqual(addresses(container), await addressesInEngine(container.uuid));
      const [attachment] = await attachments(container.uuid);
      assert.deepEqual(
        [attachment?.fixed_ips.map(({ ip_address }) => ip_address), Object.keys(container.addresses ?? {})],
        [addresses(container), [attachment?.net_id]],
      );
      const { output } = await zun.call<{ output: string }>('containers.execute', [container.uuid], { command: 'hostname -i' });
      assert.equal(output.trim(), addresses(container)[0]);
      await zun.remove(container.uuid);
    });

    test('two containers on a made network reach each other under their fixed addresses', async () => {
      const zun = open();
      const network = await createNetwork('blue');
      const probe = await zun.run({ nets: [{ network: 'blue' }] });
      const [given = ''] = addresses(probe);
      const fixed = given.replace(/\d+$/, '77');
      const made = await zun.json<ContainerView>(
        'appcontainer run',
        '--net',
        `network=blue,v4-fixed-ip=${fixed}`,
        zun.image,
        'sh',
        '-c',
        'mkdir /www; echo served > /www/index.html; httpd -f -h /www',
      );
      const server = await zun.until(made.uuid, 'Running');
      assert.deepEqual([addresses(server), await addressesInEngine(server.uuid)], [[fixed], [fixed]]);
      assert.deepEqual(Object.keys(server.addresses ?? {}), [network.neutron_net_id]);
      await until('it serves', async () => {
        const { output } = await zun.call<{ output: string }>('containers.execute', [probe.uuid], {
          command: `wget -q -O - http://${fixed}/`,
        });
        return output === 'served\n' ? true : null;
      });
      await refused(zun.create({ nets: [{ network: 'blue', 'v4-fixed-ip': '192.0.2.9' }] }), 400, /192\.0\.2\.9/);
      await refused(zun.create({ nets: [{ network: 'nosuch' }] }), 404, /nosuch/);
      assert.equal((await deleteNetwork(network.neutron_net_id)).status, 409);
      await zun.remove(probe.uuid, server.uuid);
      assert.equal((await deleteNetwork(network.neutron_net_id)).status, 204);
      assert.equal((await deleteNetwork(network.neutron_net_id)).status, 404);
      const names = (await zun.engine.json<{ Name: string }[]>({ method: 'GET', path: '/networks' })).map(({ Name }) => Name);
      assert.equal(names.includes('blue'), false);
    });

    test('an address that another container has is refused in words', async () => {
      const zun = open();
      const one = await zun.run();
      const [net] = Object.keys(one.addresses ?? {});
      const other = await zun.create({ nets: [{ network: net, 'v4-fixed-ip': addresses(one)[0] }] }, 'Error');
      assert.match(String(other.status_reason), /address/i);
      await zun.remove(one.uuid, other.uuid);
    });

    test('network attach, list and detach change a running container, and a stopped one', async () => {
      const zun = open();
      const network = await createNetwork('green');
      const { uuid, name, addresses: before } = await zun.run();
      assert.match(await zun.openstack('appcontainer', 'network', 'attach', '--network', 'green', name), /./);
      const both = await until('both networks', async () => {
        const seen = await zun.show(uuid);
        return Object.keys(seen.addresses ?? {}).length === 2 && seen.task_state === null ? seen : null;
      });
      assert.deepEqual(addresses(both), await addressesInEngine(uuid));
      assert.deepEqual((await attachments(uuid)).map(({ net_id }) => net_id).sort(), Object.keys(both.addresses ?? {}).sort());
      await refused(zun.call('containers.network_attach', [uuid], { network: 'green' }), 400, /already connected/);
      await zun.openstack('appcontainer', 'network', 'detach', '--network', 'green', name);
      const one = await until('one network', async () => {
        const seen = await zun.show(uuid);
        return Object.keys(seen.addresses ?? {}).length === 1 && seen.task_state === null ? seen : null;
      });
      assert.deepEqual(one.addresses, before);
      assert.deepEqual(await addressesInEngine(uuid), addresses(one));
      await zun.call('containers.stop', [uuid, 5]);
      await zun.until(uuid, 'Stopped');
      await refused(zun.call('containers.network_detach', [uuid], { network: 'green' }), 400, /green|connected/);
      await zun.remove(uuid);
      assert.equal((await deleteNetwork(network.neutron_net_id)).status, 204);
    });

    test('the one security group is default; others are refused', async () => {
      const zun = open();
      const { uuid, security_groups } = await zun.create({ security_groups: ['default'] });
      assert.equal((security_groups as string[]).length, 1);
      await refused(zun.create({ security_groups: ['nosuch'] }), 400, /nosuch/);
      await zun.remove(uuid);
    });

    // osc-lib 4.7 refuses the client's formatter, whatever the server answers.
    test('openstack appcontainer network list fails in the client alone', async () => {
      const zun = open();
      const { uuid } = await zun.run();
      const { stderr } = await zun.try('zun', ['appcontainer', 'network', 'list', uuid]);
      assert.match(stderr, /formatter|FormattableColumn|iterable/i);
      await zun.remove(uuid);
    });
  });
}
