import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerBench, refusalOf } from '../../../../test/bench/container-bench.ts';
import { LocalBench } from '../../../../test/bench/local-bench.ts';
import { containerWith, little } from '../../../../test/sagas/containers.ts';
import { invalidValue } from '../../../errors/catalogue.ts';
import { RuntimeFault } from '../../../runtime/runtime-fault.ts';

async function connected() {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  const [first, second] = bench.networking.networks.map(({ id }) => id);
  assert.ok(first && second);
  const attach = (query: Record<string, string>) => bench.on(uuid, 'POST', 'network_attach', { query });
  const detach = (query: Record<string, string>) => bench.on(uuid, 'POST', 'network_detach', { query });
  const engineNetworks = async () => Object.keys((await bench.runtime.inspect(uuid))?.addresses ?? {});
  const ports = () => [...bench.networking.ports.values()].filter((port) => port.containerUuid === uuid).map((port) => port.networkId);
  return { bench, uuid, first, second, attach, detach, engineNetworks, ports };
}

test('a network is attached: 200 and nothing at once, then port, interface and address', async () => {
  const { bench, uuid, first, second, attach, engineNetworks, ports } = await connected();
  const { status, json } = await attach({ network: 'second', fixed_ip: '10.2.0.77' });
  assert.deepEqual([status, json], [200, null]);
  assert.equal((await bench.show(uuid)).task_state, 'network_attaching');
  await bench.runTasks();
  const { addresses, task_state, status: state } = await bench.show(uuid);
  assert.deepEqual([state, task_state, Object.keys(addresses as object)], ['Running', null, [first, second]]);
  const list = (await bench.on(uuid, 'GET', 'network_list')).json as { networks: { net_id: string; fixed_ips: object[] }[] };
  assert.deepEqual(list.networks[1]?.fixed_ips, [{ subnet_id: 'subnet-2', version: 4, ip_address: '10.2.0.77' }]);
  assert.deepEqual(await engineNetworks(), ['engine-private', 'engine-second']);
  assert.deepEqual(ports(), [first, second]);
});

test('a network may be named in the body, as Skyline does', async () => {
  const { bench, uuid, engineNetworks } = await connected();
  assert.equal((await bench.on(uuid, 'POST', 'network_attach', { json: { network: 'second' } })).status, 200);
  await bench.runTasks();
  assert.deepEqual(await engineNetworks(), ['engine-private', 'engine-second']);
});

test('the user’s port is attached, detached by its id, and is the user’s again', async () => {
  const { bench, uuid, second, attach, detach, engineNetworks } = await connected();
  const own = bench.networking.addPort(second);
  assert.equal((await attach({ port: own.id })).status, 200);
  await bench.runTasks();
  const { addresses } = await bench.show(uuid);
  assert.deepEqual((addresses as Record<string, unknown[]>)[second], [
    { addr: own.fixedIps[0]?.address, version: 4, port: own.id, subnet_id: 'subnet-2', preserve_on_delete: true },
  ]);
  const answer = await detach({ port: own.id });
  assert.deepEqual([answer.status, answer.json], [202, null]);
  await bench.runTasks();
  assert.equal(bench.networking.ports.get(own.id)?.containerUuid, '');
  assert.deepEqual(await engineNetworks(), ['engine-private']);
});

test('a detached network takes its port with it, the last one too', async () => {
  const { bench, uuid, first, detach, engineNetworks } = await connected();
  assert.equal((await detach({ network: first })).status, 202);
  assert.equal((await bench.show(uuid)).task_state, 'network_detaching');
  await bench.runTasks();
  const { addresses, task_state } = await bench.show(uuid);
  assert.deepEqual([addresses, task_state, bench.networking.ports.size], [{}, null, 0]);
  assert.deepEqual(await engineNetworks(), []);
  assert.deepEqual((await bench.on(uuid, 'GET', 'network_list', { version: '1.13' })).json, { networks: [] });
});

test('what cannot be is refused at once, in the original’s words', async () => {
  const { bench, uuid, first, second, attach, detach } = await connected();
  const used = bench.networking.addPort(first);
  const free = bench.networking.addPort(second);
  const sentences = [
    refusalOf(await attach({ network: 'private' }), 400, 'container.invalid'),
    refusalOf(await attach({}), 400, 'container.invalid'),
    refusalOf(await attach({ port: used.id }), 400, 'container.invalid'),
    refusalOf(await attach({ network: 'nope' }), 404, 'container.network-not-found'),
    refusalOf(await detach({ network: 'second' }), 400, 'container.invalid'),
    refusalOf(await detach({ port: free.id }), 400, 'container.invalid'),
  ];
  assert.deepEqual(sentences, [
    `Network 'private' is already connected to container '${uuid}'.`,
    `Network 'None' is already connected to container '${uuid}'.`,
    `Cannot attach port '${used.id}' to container '${uuid}' because another port on the same network is already attached to this container.`,
    'Neutron network nope could not be found.',
    `Network 'second' is not attached to container '${uuid}'.`,
    `Port '${free.id}' is not attached to container '${uuid}'.`,
  ]);
  refusalOf(await attach({ network: 'second', port: free.id }), 400, 'container.schema-validation-error');
  refusalOf(await detach({}), 400, 'container.schema-validation-error');
});

test('an attach that fails frees its port, and the container stays what it was with the reason shown', async () => {
  const { bench, uuid, first, second, attach, engineNetworks, ports } = await connected();
  bench.faults = (call) => {
    if (call === 'connectNetwork') throw new RuntimeFault('conflict', 'Address already in use');
  };
  await attach({ network: 'second' });
  await bench.runTasks();
  const { status, status_reason, task_state, addresses } = await bench.show(uuid);
  assert.deepEqual([status, task_state, Object.keys(addresses as object)], ['Running', null, [first]]);
  assert.equal(status_reason, `Attaching network ${second} failed: Address already in use`);
  assert.deepEqual([await engineNetworks(), ports()], [['engine-private'], [first]]);
});

test('two attaches of one network are one attach and one failure', async () => {
  const { bench, uuid, second, attach, ports, first } = await connected();
  await attach({ network: 'second' });
  await attach({ network: 'second' });
  await bench.runTasks();
  const { status, addresses } = await bench.show(uuid);
  assert.deepEqual([status, (addresses as Record<string, unknown[]>)[second]?.length, ports()], ['Running', 1, [first, second]]);
});

test('a detach that fails can be asked again', async () => {
  const { bench, uuid, first, detach } = await connected();
  bench.networking.failure = null;
  await detach({ network: first });
  bench.networking.failure = invalidValue('the network service says no');
  await bench.runTasks();
  assert.equal((await bench.show(uuid)).status_reason, `Detaching network ${first} failed: the network service says no`);
  bench.networking.failure = null;
  assert.equal((await detach({ network: first })).status, 202);
  // The failed one is undone first, after its pause.
  await bench.clock.advance(1_000);
  await bench.runTasks();
  assert.deepEqual((await bench.show(uuid)).addresses, {});
});

test('networks that are attached one after another have a port each: task numbers are given again', async () => {
  const bench = await LocalBench.open();
  await bench.networking.createNetwork({ neutronNetId: 'third' });
  const uuid = await containerWith(bench, little);
  for (const network of ['second', 'third']) {
    await bench.ask('POST', `/v1/containers/${uuid}/network_attach?network=${network}`);
    await bench.runTasks();
  }
  assert.equal(Object.keys((await bench.ask('GET', `/v1/containers/${uuid}`)).addresses as object).length, 3);
  const ports = await bench.networking.listPorts(uuid);
  assert.equal(new Set(ports.map(({ networkId }) => networkId)).size, 3);
});
