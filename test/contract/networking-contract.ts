import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Network, Networking, PortRequest } from '../../src/networking/networking.ts';
import { refused } from './refused.ts';

export interface NetworkingFixture {
  networking: Networking;
  projectId: string;
  cleanup(): Promise<void>;
}

/** Registers the tests that every `Networking` passes. They make their networks with `createNetwork`. */
export function networkingContract(name: string, makeFixture: () => Promise<NetworkingFixture>): void {
  describe(`${name} networking`, () => {
    let fixture: NetworkingFixture;
    let network: Network;
    before(async () => {
      fixture = await makeFixture();
      network = await make();
    });
    after(async () => {
      if (network) await fixture.networking.deleteNetwork(network.id);
      await fixture?.cleanup();
    });

    const make = () =>
      fixture.networking.createNetwork({ neutronNetId: `net-${randomUUID().slice(0, 8)}`, name: null, projectId: fixture.projectId });
    const wish = (changes: Partial<PortRequest> = {}): PortRequest => {
      const containerUuid = randomUUID();
      const nothing = { fixedIpv4: null, fixedIpv6: null, securityGroups: [] };
      return { key: `${containerUuid}/0`, networkId: network.id, containerUuid, projectId: fixture.projectId, ...nothing, ...changes };
    };

    test('a network that was made is found by name and id, always under the same id, with its subnet', async () => {
      const { networking, projectId } = fixture;
      assert.deepEqual(await networking.findNetwork(network.name, projectId), network);
      assert.deepEqual(await networking.findNetwork(network.id, projectId), network);
      assert.deepEqual(await networking.createNetwork({ neutronNetId: network.name, name: null, projectId }), network);
      const [subnet] = network.subnets;
      assert.ok(subnet && subnet.version === 4 && /^[\d.]+\/\d+$/.test(subnet.cidr));
      assert.ok((await networking.engineNetwork(network.id)).length > 0);
    });

    test('a network that several ask for at a time is made once, and others beside it', async () => {
      const { networking, projectId } = fixture;
      const names = ['one', 'two'].map((which) => `net-${which}-${randomUUID().slice(0, 8)}`);
      const made = await Promise.all(
        [...names, ...names, ...names].map((neutronNetId) => networking.createNetwork({ neutronNetId, name: null, projectId })),
      );
      const ids = [...new Set(made.map(({ id }) => id))];
      assert.deepEqual([ids.length, new Set(made.map(({ subnets }) => subnets[0]?.cidr)).size], [2, 2]);
      for (const id of ids) await networking.deleteNetwork(id);
    });

    test('what is missing is not found', async () => {
      const { networking, projectId } = fixture;
      const id = randomUUID();
      await refused(networking.findNetwork('nosuchnet', projectId), 404, /^Neutron network nosuchnet could not be found\.$/);
      await refused(networking.findNetwork(id, projectId), 404, /^Neutron network .* could not be found\.$/);
      await refused(networking.createNetwork({ neutronNetId: id, name: null, projectId }), 404, /could not be found/);
      await refused(networking.findPort(id, projectId), 404, /^Neutron port .* could not be found\.$/);
      await refused(networking.findSecurityGroups(['nosuchgroup'], projectId), 400, /^Security group nosuchgroup not found\.$/);
    });

    test('there is always a network for a container that asks for none, and a group named default', async () => {
      const { networking, projectId } = fixture;
      const first = await networking.defaultNetwork(projectId);
      assert.deepEqual(await networking.defaultNetwork(projectId), first);
      const [group = ''] = await networking.findSecurityGroups(['default'], projectId);
      assert.deepEqual(await networking.findSecurityGroups([group], projectId), [group]);
    });

    test('a port is made once for its key, with an address of the subnet, and found by its id and container', async () => {
      const { networking, projectId } = fixture;
      const request = wish();
      const port = await networking.createPort(request);
      assert.deepEqual(await networking.createPort(request), port);
      assert.deepEqual(await networking.findPort(port.id, projectId), port);
      assert.deepEqual(await networking.listPorts(request.containerUuid), [port]);
      const [ip] = port.fixedIps;
      assert.ok(ip && isIPv4(ip.address) && ip.subnetId === network.subnets[0]?.id && ip.address !== network.subnets[0]?.gateway);
      await networking.deletePort(port.id);
      await networking.deletePort(port.id);
      assert.deepEqual(await networking.listPorts(request.containerUuid), []);
      await refused(networking.findPort(port.id, projectId), 404, /could not be found/);
    });

    test('ports made at the same time have addresses of their own', async () => {
      const ports = await Promise.all(Array.from({ length: 10 }, () => fixture.networking.createPort(wish())));
      assert.equal(new Set(ports.map((port) => port.fixedIps[0]?.address)).size, 10);
      assert.equal(new Set(ports.map((port) => port.macAddress)).size, 10);
      for (const port of ports) await fixture.networking.deletePort(port.id);
    });

    test('a fixed address is given once, and only inside the subnet', async () => {
      const { networking } = fixture;
      const address = (network.subnets[0]?.cidr ?? '').replace(/\.\d+\/\d+$/, '.77');
      const port = await networking.createPort(wish({ fixedIpv4: address }));
      assert.equal(port.fixedIps[0]?.address, address);
      await refused(networking.createPort(wish({ fixedIpv4: address })), 409, /already allocated/);
      await refused(networking.createPort(wish({ fixedIpv4: '203.0.113.9' })), 400, /not a valid IP/);
      await networking.deletePort(port.id);
      const again = await networking.createPort(wish({ fixedIpv4: address }));
      await networking.deletePort(again.id);
    });

    test('a port belongs to one container until it is unbound, and then survives', async () => {
      const { networking, projectId } = fixture;
      const request = wish();
      const port = await networking.createPort(request);
      const binding = { containerUuid: request.containerUuid, host: 'h' };
      await networking.bindPort(port.id, binding);
      await networking.bindPort(port.id, binding);
      await refused(networking.bindPort(port.id, { containerUuid: randomUUID(), host: 'h' }), 400, /^Port .* is still in use\.$/);
      await networking.unbindPort(port.id);
      assert.deepEqual(await networking.listPorts(request.containerUuid), []);
      assert.equal((await networking.findPort(port.id, projectId)).containerUuid, '');
      await networking.deletePort(port.id);
    });

    test('a network with ports is not removed, one without is, and then it is gone', async () => {
      const { networking, projectId } = fixture;
      const own = await make();
      const port = await networking.createPort(wish({ networkId: own.id }));
      await refused(networking.deleteNetwork(own.id), 409, /in use/);
      await networking.deletePort(port.id);
      await networking.deleteNetwork(own.id);
      await networking.deleteNetwork(own.id);
      await refused(networking.findNetwork(own.name, projectId), 404, /could not be found/);
    });
  });
}
