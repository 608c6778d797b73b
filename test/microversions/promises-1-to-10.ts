import assert from 'node:assert/strict';
import type { Promises } from './promise.ts';

/** What versions 1.1 to 1.10 promise. */
export const promises1To10 = {
  '1.1': async (api) => {
    assert.equal(await api.status('1.1', 'GET /v1/containers'), 200);
    assert.equal(await api.status('1.0', 'GET /v1/containers'), 406);
    assert.equal((await api.create('1.1', {})).status, 202);
    assert.equal((await api.create('1.1', { unknown: 'member' })).status, 400);
    assert.equal((await api.create('1.1', { cpu: 'much' })).status, 400);
  },

  '1.2': async (api) => {
    for (const version of ['1.1', '1.2']) {
      const { status, json } = await api.create(version, { nets: [{ network: 'second' }] });
      assert.equal(status, 202);
      await api.bench.runTasks();
      const { id } = await api.bench.networking.findNetwork('second');
      assert.deepEqual(Object.keys((await api.show(String(json.uuid))).addresses as object), [id]);
    }
  },

  '1.3': async (api) => {
    await api.parameterBegins('1.3', 'auto_remove', true);
    assert.equal((await api.create('1.2', { auto_remove: null })).status, 202);
  },

  '1.4': async (api) => {
    assert.deepEqual(await api.statuses(['1.3', '1.4'], 'GET /v1/hosts'), [406, 200]);
    const { json } = await api.call('1.4', 'GET /v1/hosts');
    const [host] = json.hosts as { uuid: string }[];
    assert.deepEqual(await api.statuses(['1.3', '1.4'], `GET /v1/hosts/${host?.uuid}`), [406, 200]);
  },

  '1.5': async (api) => {
    await api.parameterBegins('1.5', 'runtime', 'runc');
    const forUsers = [await api.create('1.4', { runtime: 'runc' }, 'demo'), await api.create('1.5', { runtime: 'runc' }, 'demo')];
    assert.deepEqual(
      forUsers.map(({ status }) => status),
      [400, 403],
    );
  },

  '1.6': async (api) => {
    const detach = `POST /v1/containers/${await api.container({ nets: [{ network: 'second' }] })}/network_detach?network=second`;
    assert.deepEqual(await api.statuses(['1.5', '1.6'], detach), [406, 202]);
  },

  '1.7': async (api) => {
    const remove = `DELETE /v1/containers/${await api.container()}?force=true`;
    assert.deepEqual(await api.statuses(['1.6', '1.7'], remove), [400, 204]);
    const { json } = await api.create('1.40', {}, 'demo');
    await api.bench.runTasks();
    assert.equal(await api.status('1.7', `DELETE /v1/containers/${json.uuid}?force=true`, { as: 'demo' }), 403);
  },

  '1.8': async (api) => {
    const attach = `POST /v1/containers/${await api.container()}/network_attach?network=second`;
    assert.deepEqual(await api.statuses(['1.7', '1.8'], attach), [406, 200]);
  },

  '1.9': async (api) => {
    await api.parameterBegins('1.9', 'hostname', 'myhost');
  },

  '1.10': async (api) => {
    for (const version of ['1.9', '1.10']) {
      const uuid = await api.container();
      await api.call(version, `POST /v1/containers/${uuid}/stop`);
      await api.bench.runTasks();
      assert.equal(await api.status(version, `DELETE /v1/containers/${uuid}`), 204);
      assert.equal((await api.show(uuid)).task_state, 'container_deleting');
      await api.bench.runTasks();
      assert.equal(await api.status(version, `GET /v1/containers/${uuid}`), 404);
    }
  },
} satisfies Promises;
