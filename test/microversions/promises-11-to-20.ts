import assert from 'node:assert/strict';
import type { Promises } from './promise.ts';

/** What versions 1.11 to 1.20 promise. */
export const promises11To20 = {
  '1.11': async (api) => {
    await api.parameterBegins('1.11', 'mounts', [{ size: '1', destination: '/data' }]);
    assert.equal((await api.create('1.10', { mounts: [] })).status, 202);
  },

  '1.12': async (api) => {
    const uuid = await api.container();
    assert.deepEqual(await api.statuses(['1.11', '1.12'], `DELETE /v1/containers/${uuid}?stop=true`), [400, 204]);
    assert.equal((await api.show(uuid)).task_state, 'container_stopping');
    await api.bench.runTasks();
    assert.equal(await api.status('1.12', `GET /v1/containers/${uuid}`), 404);
  },

  '1.13': async (api) => {
    assert.deepEqual(await api.statuses(['1.12', '1.13'], `GET /v1/containers/${await api.container()}/network_list`), [406, 200]);
  },

  '1.14': async (api) => {
    const uuid = await api.container();
    assert.deepEqual(await api.statuses(['1.13', '1.14'], `POST /v1/containers/${uuid}/rename?name=renamed`), [200, 406]);
    for (const version of ['1.13', '1.14']) {
      const { status, json } = await api.call(version, `PATCH /v1/containers/${uuid}`, { json: { name: `by${version}` } });
      assert.deepEqual([status, json.name], [200, `by${version}`]);
    }
  },

  '1.15': async (api) => {
    const uuid = await api.container();
    for (const action of ['add_security_group', 'remove_security_group']) {
      const request = `POST /v1/containers/${uuid}/${action}?name=no-such-group`;
      // Before, the operation is there and looks for the group.
      assert.notEqual(await api.status('1.14', request), 406);
      assert.equal(await api.status('1.15', request), 406);
    }
  },

  '1.16': async (api) => {
    for (const version of ['1.15', '1.16']) {
      const inSpec = await api.capsule(version, { spec: { restartPolicy: 'Never' } });
      const beside = await api.capsule(version, { template: { restartPolicy: 'Never' } });
      assert.deepEqual([inSpec.status, beside.status], [202, 202]);
      assert.deepEqual([inSpec.json.restart_policy, beside.json.restart_policy], ['no', 'always']);
    }
  },

  '1.17': async (api) => {
    for (const version of ['1.6', '1.17']) {
      const uuid = await api.container({ nets: [{ network: 'second' }] });
      const [port] = await api.bench.networking.listPorts(uuid);
      assert.equal(await api.status(version, `POST /v1/containers/${uuid}/network_detach?port=${port?.id}`), 202);
    }
  },

  '1.18': async (api) => {
    const uuid = await api.container({ nets: [{ network: 'second' }] });
    const members = async (version: string) => {
      const { json } = await api.call(version, `GET /v1/containers/${uuid}/network_list`);
      return (json.networks as object[]).map((network) => Object.keys(network).sort());
    };
    assert.deepEqual(await members('1.17'), [['ip_address', 'net_id', 'port_id', 'subnet_id', 'version']]);
    assert.deepEqual(await members('1.18'), [['fixed_ips', 'net_id', 'port_id']]);
  },

  '1.19': async (api) => {
    const uuid = await api.container();
    const resize = `POST /v1/containers/${uuid}/resize_container`;
    assert.deepEqual(await api.statuses(['1.18', '1.19'], resize, { json: { cpu: 0.2 } }), [406, 202]);
    await api.bench.runTasks();
    assert.equal((await api.show(uuid)).cpu, 0.2);
  },

  '1.20': async (api) => {
    const text = await api.create('1.19', { command: `sh -c 'sleep 10'` });
    assert.deepEqual([text.status, text.json.command], [202, ['sh', '-c', 'sleep 10']]);
    assert.equal((await api.create('1.20', { command: 'sleep 10' })).status, 400);
    assert.equal((await api.create('1.19', { command: ['sleep', '10'] })).status, 400);
    const list = await api.create('1.20', { command: ['sleep', '1 0'] });
    assert.deepEqual([list.status, list.json.command], [202, ['sleep', '1 0']]);
  },
} satisfies Promises;
