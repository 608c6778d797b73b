import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerBench, refusalOf } from '../../../../test/bench/container-bench.ts';
import { LocalNetworking } from '../../../local/networking/local-networking.ts';
import { MemoryEngineNetworks } from '../../../local/networking/memory-engine-networks.ts';
import { randomIds } from '../../../telemetry/ids.ts';

test('on standalone’s own networks a container is attached, rebuilt with all its ports, detached and attached again', async () => {
  const bench = await ContainerBench.open(
    (database, networks) => new LocalNetworking({ database, engine: new MemoryEngineNetworks(networks), ids: randomIds }),
  );
  const { networking } = bench.services;
  const uuid = await bench.container({ nets: [] });
  const second = await networking.createNetwork({ neutronNetId: 'second', name: null, projectId: 'demo-project' });
  const fixed = second.subnets[0]?.cidr.replace(/\.0\/\d+$/, '.77') ?? '';
  const addresses = async () => (await bench.show(uuid)).addresses as Record<string, { addr: string }[]>;

  const attached = await bench.on(uuid, 'POST', 'network_attach', { as: 'admin', query: { network: 'second', fixed_ip: fixed } });
  assert.deepEqual([attached.status, attached.json], [200, null]);
  await bench.runTasks();
  assert.equal((await addresses())[second.id]?.[0]?.addr, fixed);

  const before = await addresses();
  await bench.on(uuid, 'POST', 'rebuild');
  await bench.runTasks();
  assert.deepEqual([(await bench.show(uuid)).status, await addresses()], ['Running', before]);
  assert.equal((await bench.runtime.inspect(uuid))?.addresses.second?.ipv4, fixed);

  for (const round of [1, 2]) {
    const { json } = await bench.on(uuid, 'GET', 'network_list');
    const { port_id: port } =
      (json as { networks: { net_id: string; port_id: string }[] }).networks.find(({ net_id }) => net_id === second.id) ?? {};
    assert.equal(
      (await bench.on(uuid, 'POST', 'network_detach', { as: 'admin', query: { port: String(port) } })).status,
      202,
      `round ${round}`,
    );
    await bench.runTasks();
    assert.deepEqual([Object.keys(await addresses()).length, (await networking.listPorts(uuid)).length], [1, 1]);
    assert.equal((await bench.on(uuid, 'POST', 'network_attach', { query: { network: second.id } })).status, 200);
    await bench.runTasks();
    assert.deepEqual((await bench.show(uuid)).status_reason, null);
  }
});

test('standalone has one security group, which is always there', async () => {
  const bench = await ContainerBench.open(
    (database, networks) => new LocalNetworking({ database, engine: new MemoryEngineNetworks(networks), ids: randomIds }),
  );
  const uuid = await bench.container({ nets: [] });
  const add = (name: string) => bench.on(uuid, 'POST', 'add_security_group', { version: '1.14', json: { name } });
  refusalOf(await add('nope'), 400, 'container.invalid-value');
  refusalOf(await add('default'), 409, 'container.operation-not-supported');
});
