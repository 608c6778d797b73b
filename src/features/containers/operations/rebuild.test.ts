import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerBench, refusalOf } from '../../../../test/bench/container-bench.ts';
import { RuntimeFault } from '../../../runtime/runtime-fault.ts';

const rebuild = (bench: ContainerBench, uuid: string, query: Record<string, string> = {}) => bench.on(uuid, 'POST', 'rebuild', { query });

async function marked(body: Record<string, unknown> = {}, options: { run?: boolean } = {}) {
  const bench = await ContainerBench.open();
  const uuid = await bench.container(body, options);
  if (options.run !== false) await bench.on(uuid, 'POST', 'execute', { query: { command: 'touch /mark' } });
  return { bench, uuid };
}

const hasMark = async (bench: ContainerBench, uuid: string) =>
  (await bench.on(uuid, 'GET', 'get_archive', { query: { path: '/mark' } })).status === 200;

test('a rebuild says Rebuilding at once, and then runs anew with the port and addresses it had', async () => {
  const { bench, uuid } = await marked();
  const { addresses } = await bench.show(uuid);
  const ports = [...bench.networking.ports.keys()];
  const answer = await rebuild(bench, uuid);
  assert.deepEqual([answer.status, answer.json], [202, null]);
  const { status, task_state } = await bench.show(uuid);
  assert.deepEqual([status, task_state], ['Rebuilding', 'container_rebuilding']);
  await bench.runTasks();
  const after = await bench.show(uuid);
  assert.deepEqual([after.status, after.task_state, after.status_reason], ['Running', null, null]);
  assert.deepEqual(after.addresses, addresses);
  assert.deepEqual([...bench.networking.ports.keys()], ports);
  assert.equal(await hasMark(bench, uuid), false);
});

test('a rebuild takes over the networks that the container has when its turn comes, attached or detached since it was asked for', async () => {
  const { bench, uuid } = await marked();
  const [first, second] = bench.networking.networks;
  await bench.on(uuid, 'POST', 'network_attach', { query: { network: second?.name ?? '' } });
  await rebuild(bench, uuid);
  await bench.runTasks();
  const attached = await bench.show(uuid);
  assert.deepEqual([attached.status, Object.keys(attached.addresses as object).length], ['Running', 2]);
  for (const network of [first, second]) await bench.on(uuid, 'POST', 'network_detach', { query: { network: network?.name ?? '' } });
  await rebuild(bench, uuid);
  await bench.runTasks();
  const detached = await bench.show(uuid);
  assert.deepEqual([detached.status, detached.addresses], ['Running', {}]);
  assert.equal(bench.networking.ports.size, 0);
});

test('a rebuild that fails frees the ports that it has made for a container that had lost its own', async () => {
  const { bench, uuid } = await marked();
  await bench.on(uuid, 'POST', 'network_detach', { query: { network: 'private' } });
  await bench.runTasks();
  await bench.services.database.queries.updateTable('container').set({ container_id: null }).where('uuid', '=', uuid).execute();
  await rebuild(bench, uuid);
  bench.networking.bindPort = () => Promise.reject(new RuntimeFault('failed', 'no'));
  await bench.runTasks();
  assert.equal((await bench.show(uuid)).status, 'Error');
  assert.equal(bench.networking.ports.size, 0);
});

test('a rebuild keeps the user’s own port the user’s own', async () => {
  const bench = await ContainerBench.open();
  const own = bench.networking.addPort(bench.networking.networks[1]?.id ?? '');
  const uuid = await bench.container({ nets: [{ port: own.id }] });
  await rebuild(bench, uuid);
  await bench.runTasks();
  const { addresses } = await bench.show(uuid);
  assert.deepEqual(addresses, {
    [own.networkId]: [{ addr: own.fixedIps[0]?.address, version: 4, port: own.id, subnet_id: 'subnet-2', preserve_on_delete: true }],
  });
});

test('another image, of the query or the body, takes the place of the first', async () => {
  const { bench, uuid } = await marked();
  await rebuild(bench, uuid, { image: 'nginx' });
  await bench.runTasks();
  const { status, image } = await bench.show(uuid);
  assert.deepEqual([status, image], ['Running', 'nginx']);
  await bench.on(uuid, 'POST', 'rebuild', { json: { image: 'busybox', image_driver: 'docker' } });
  await bench.runTasks();
  assert.equal((await bench.show(uuid)).image, 'busybox');
});

test('what did not run does not run afterwards', async () => {
  const { bench, uuid } = await marked({}, { run: false });
  await rebuild(bench, uuid);
  await bench.runTasks();
  assert.equal((await bench.show(uuid)).status, 'Created');
});

test('a missing image ends in Error with the registry’s words, and the old workload and its image are still there', async () => {
  const { bench, uuid } = await marked();
  await rebuild(bench, uuid, { image: 'nosuchimage' });
  await bench.runTasks();
  const { status, status_reason, image, task_state } = await bench.show(uuid);
  assert.deepEqual([status, image, task_state], ['Error', 'busybox', null]);
  assert.match(String(status_reason), /nosuchimage/);
  assert.equal((await bench.runtime.inspect(uuid))?.state.status, 'running');
  await rebuild(bench, uuid);
  await bench.runTasks();
  assert.equal((await bench.show(uuid)).status, 'Created', 'a rebuild out of Error does not start, as in the original');
});

test('a bad image name or driver is a 400 at once, and nothing changes', async () => {
  const { bench, uuid } = await marked();
  refusalOf(await rebuild(bench, uuid, { image: 'busy box' }), 400, 'container.reference-invalid-format');
  refusalOf(await rebuild(bench, uuid, { image_driver: 'nope' }), 400, 'container.validation-error');
  assert.equal((await bench.show(uuid)).status, 'Running');
});

test('a rebuild that lost its port ends in Error with the reason', async () => {
  const { bench, uuid } = await marked();
  for (const id of bench.networking.ports.keys()) bench.networking.ports.delete(id);
  await rebuild(bench, uuid);
  await bench.runTasks();
  const { status, status_reason } = await bench.show(uuid);
  assert.equal(status, 'Error');
  assert.match(String(status_reason), /^Neutron port .* could not be found\.$/);
});

test('a create that failed is made good by a rebuild with an image that exists: claim, network and all', async () => {
  const bench = await ContainerBench.open();
  const { json } = await bench.request('POST', '/v1/containers', { json: { name: 'web', image: 'nosuchimage', cpu: 1, memory: '64' } });
  const { uuid } = json as { uuid: string };
  await bench.runTasks();
  assert.deepEqual([(await bench.show(uuid)).status, bench.scheduler.claims.size, bench.networking.ports.size], ['Error', 0, 0]);
  await rebuild(bench, uuid, { image: 'busybox' });
  await bench.runTasks();
  const { status, addresses, status_reason } = await bench.show(uuid);
  assert.deepEqual([status, status_reason, Object.keys(addresses as object).length], ['Created', null, 1]);
  assert.equal(bench.scheduler.claims.get(uuid)?.vcpu, 1);
});

test('a container that no host had room for cannot be rebuilt, and is told what to do', async () => {
  const bench = await ContainerBench.open();
  bench.scheduler.vcpus = 0;
  const { json } = await bench.request('POST', '/v1/containers', { json: { name: 'web', image: 'busybox' } });
  assert.match(refusalOf(await rebuild(bench, (json as { uuid: string }).uuid), 409, 'container.conflict'), /create it again/);
});
