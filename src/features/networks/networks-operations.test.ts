import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ManualClock, memoryDatabase } from '../../../test/bench/task-bench.ts';
import { defaultPolicy } from '../../../test/contract/default-policy.ts';
import { countedIds } from '../../../test/contract/fixed-time.ts';
import { operationCaller } from '../../../test/contract/operation-caller.ts';
import type { Database } from '../../db/database.ts';
import { LocalNetworking } from '../../local/networking/local-networking.ts';
import { MemoryEngineNetworks } from '../../local/networking/memory-engine-networks.ts';
import { networksOperations } from './networks-operations.ts';

describe('networks', () => {
  let database: Database;
  let networking: LocalNetworking;
  let call: ReturnType<typeof operationCaller>;

  before(async () => {
    database = await memoryDatabase();
    const ids = countedIds();
    networking = new LocalNetworking({ database, engine: new MemoryEngineNetworks(), ids });
    call = operationCaller(
      networksOperations({ database, policy: defaultPolicy(), networking, clock: new ManualClock(), ids, host: 'node' }),
    );
  });
  after(() => database.close());

  const message = (reply: { status: number; body?: unknown }) => `${reply.status} ${(reply.body as { message?: string }).message}`;
  type View = Record<'uuid' | 'neutron_net_id', string>;

  test('a network is made, can be used, and is deleted by the id it was given, not by its row', async () => {
    const made = await call('admin', 'POST /v1/networks', { name: 'nn', neutron_net_id: 'mynet' });
    const network = await networking.findNetwork('mynet');
    const { uuid } = made.body as View;
    const owner = { project_id: 'admin-project', user_id: 'admin-user' };
    assert.deepEqual(made, { status: 200, body: { uuid, ...owner, name: 'mynet', network_id: 'mynet', neutron_net_id: network.id } });
    const again = await call('admin', 'POST /v1/networks', { name: 'nn', neutron_net_id: network.id });
    assert.equal(message(again), `409 A network with neutron_net_id ${network.id} already exists.`);
    assert.equal(message(await call('admin', `DELETE /v1/networks/${uuid}`)), `404 Neutron network ${uuid} could not be found.`);
    assert.deepEqual(await call('admin', `DELETE /v1/networks/${network.id}`), { status: 204 });
    await assert.rejects(networking.findNetwork('mynet'), /could not be found/);
    assert.equal((await call('admin', `DELETE /v1/networks/${network.id}`)).status, 404);
  });

  test('a network in use is not deleted', async () => {
    const { neutron_net_id: id } = (await call('admin', 'POST /v1/networks', { name: 'used' })).body as View;
    const nothing = { fixedIpv4: null, fixedIpv6: null, securityGroups: [] };
    const port = await networking.createPort({ key: 'k', networkId: id, containerUuid: 'c', projectId: 'p', ...nothing });
    assert.match(message(await call('admin', 'DELETE /v1/networks/used')), /^409 .*still in use/);
    await networking.deletePort(port.id);
    assert.deepEqual(await call('admin', 'DELETE /v1/networks/used'), { status: 204 });
  });

  test('missing networks are 404, missing names 400, and both operations are for admins', async () => {
    const id = '55555555-5555-4555-8555-555555555555';
    assert.equal(
      message(await call('admin', 'POST /v1/networks', { name: 'nn', neutron_net_id: id })),
      `404 Neutron network ${id} could not be found.`,
    );
    assert.equal(message(await call('admin', 'POST /v1/networks', { neutron_net_id: id })), "400 'name' is a required property");
    assert.equal(message(await call('admin', 'POST /v1/networks', { name: null })), "400 'neutron_net_id' is a required property");
    assert.equal((await call('demo', 'POST /v1/networks', { name: 'nn' })).status, 403);
    assert.equal((await call('demo', 'DELETE /v1/networks/nn')).status, 403);
  });
});
