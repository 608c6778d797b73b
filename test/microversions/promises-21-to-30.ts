import assert from 'node:assert/strict';
import { tarOf } from '../contract/runtime/tar.ts';
import type { Promises } from './promise.ts';

/** What versions 1.21 to 1.30 promise. */
export const promises21To30 = {
  '1.21': async (api) => {
    await api.parameterBegins('1.21', 'privileged', true, 403);
  },

  '1.22': async (api) => {
    await api.parameterBegins('1.22', 'healthcheck', { cmd: 'true', interval: 10, timeout: 5, retries: 2 });
    assert.equal((await api.create('1.21', { healthcheck: {} })).status, 202);
  },

  '1.23': async (api) => {
    const mounts = [{ type: 'bind', source: Buffer.from('content\n').toString('base64'), destination: '/etc/injected' }];
    for (const version of ['1.22', '1.23']) assert.equal((await api.create(version, { mounts })).status, 202);
    const uuid = await api.container({ mounts });
    const { json } = await api.call('1.23', `POST /v1/containers/${uuid}/execute?command=cat%20/etc/injected&run=true`);
    assert.equal(json.output, 'content\n');
  },

  '1.24': async (api) => {
    await api.parameterBegins('1.24', 'exposed_ports', { '80/tcp': {} });
    assert.equal((await api.create('1.24', { exposed_ports: { '80/tcp': {} }, security_groups: ['default'] })).status, 400);
  },

  '1.25': async (api) => {
    const uuid = await api.container();
    const tar = await tarOf({ 'f.txt': Buffer.from('text') });
    const put = (version: string, data: string) =>
      api.status(version, `POST /v1/containers/${uuid}/put_archive?path=/`, { json: { data } });
    assert.deepEqual([await put('1.24', tar.toString()), await put('1.25', tar.toString('base64'))], [200, 200]);
    assert.equal(await put('1.25', tar.toString()), 400);
    const get = async (version: string) => (await api.call(version, `GET /v1/containers/${uuid}/get_archive?path=/f.txt`)).json.data;
    const [plain, encoded] = [await get('1.24'), await get('1.25')];
    assert.match(String(plain), /^f\.txt\0/);
    assert.equal(Buffer.from(String(encoded), 'base64').toString(), plain);
  },

  '1.26': async (api) => {
    for (const version of ['1.1', '1.25', '1.26']) {
      const { json } = await api.call(version, 'GET /v1/quotas/admin-project');
      assert.deepEqual(json, { containers: 40, memory: 51_200, cpu: 20, disk: 100 });
      assert.equal(await api.status(version, 'GET /v1/quota_classes/default'), 200);
    }
  },

  '1.27': async (api) => {
    const { id } = await api.bench.networking.findNetwork('second');
    assert.equal(await api.status('1.26', `DELETE /v1/networks/${id}`), 406);
    // Made by the engine, not by this API: the operation is there and looks for its row.
    assert.equal(await api.status('1.27', `DELETE /v1/networks/${id}`), 404);
    await api.call('1.26', 'POST /v1/networks', { json: { name: 'third', neutron_net_id: 'third' } });
    assert.equal(await api.status('1.27', 'DELETE /v1/networks/third'), 204);
  },

  '1.28': async (api) => {
    for (const version of ['1.1', '1.27', '1.28']) {
      const { status, json } = await api.create(version, { cpu_policy: 'shared' });
      assert.deepEqual([status, json.cpu_policy], [202, 'shared']);
    }
    assert.equal((await api.create('1.28', { cpu_policy: 'dedicated' })).status, 409);
  },

  '1.29': async (api) => {
    for (const version of ['1.4', '1.28', '1.29']) {
      const { json } = await api.call(version, 'GET /v1/hosts');
      assert.equal((json.hosts as { enable_cpu_pinning: boolean }[])[0]?.enable_cpu_pinning, false);
    }
  },

  '1.30': async (api) => {
    for (const version of ['1.1', '1.29', '1.30']) {
      const registry = { name: `r${version}`, domain: 'registry.example', username: 'u', password: 'p' };
      const made = await api.call(version, 'POST /v1/registries', { json: { registry } });
      assert.deepEqual([made.status, (made.json.registry as typeof registry).password], [201, '***']);
      assert.equal(await api.status(version, `GET /v1/registries/r${version}`), 200);
    }
  },
} satisfies Promises;
