import assert from 'node:assert/strict';
import type { Promises } from './promise.ts';
import type { VersionCaller } from './version-caller.ts';

/** What versions 1.31 to 1.40 promise. */
export const promises31To40 = {
  '1.31': async (api) => {
    const { json } = await api.call('1.31', 'POST /v1/registries', { json: { registry: { name: 'mine', domain: 'registry.example' } } });
    const { uuid } = json.registry as { uuid: string };
    await api.parameterBegins('1.31', 'registry', 'mine');
    const container = await api.create('1.31', { registry: uuid });
    for (const version of ['1.1', '1.30', '1.31']) assert.equal((await api.show(String(container.json.uuid), version)).registry_id, uuid);
  },

  '1.32': async (api) => {
    const old = ['capsule_version', 'containers_uuids', 'init_containers_uuids', 'meta_labels', 'meta_name', 'volumes_info'];
    const created = { '1.31': await api.capsule('1.31'), '1.32': await api.capsule('1.32') };
    await api.bench.runTasks();
    for (const version of ['1.31', '1.32'] as const) {
      const isOld = version === '1.31';
      const path = `/v1/capsules/${created[version].json.uuid}`;
      const shown = (await api.call(version, `GET ${path}`)).json;
      const [listed] = (await api.call(version, 'GET /v1/capsules')).json.capsules as Record<string, unknown>[];
      for (const view of [created[version].json, shown, listed ?? {}]) {
        assert.deepEqual(
          Object.keys(view)
            .filter((name) => old.includes(name))
            .sort(),
          isOld ? old : [],
        );
        assert.deepEqual(view.restart_policy, isOld ? 'always' : { Name: 'always', MaximumRetryCount: '0' });
        assert.equal(view[isOld ? 'meta_name' : 'name'], 'cap');
      }
      assert.equal(await api.status(version, `DELETE ${path}`), 204);
      assert.equal(await api.status(version, `GET ${path}`), 200);
      await api.bench.runTasks();
      assert.equal(await api.status(version, `GET ${path}`), 404);
    }
  },

  '1.33': async (api) => {
    const uuid = await api.container();
    assert.equal(await api.status('1.32', `POST /v1/containers/${uuid}/stop`), 202);
    for (const version of ['1.1', '1.32', '1.33']) {
      const { json } = await api.call(version, `GET /v1/containers/${uuid}/container_actions`);
      const actions = json.containerActions as { action: string; finish_time: string | null }[];
      assert.deepEqual(
        actions.map(({ action, finish_time }) => [action, finish_time === null]),
        [
          ['stop', true],
          ['create', false],
        ],
      );
    }
  },

  '1.34': async (api) => {
    const spec = { initContainers: [{ image: 'busybox', command: ['true'] }] };
    for (const version of ['1.1', '1.33', '1.34']) {
      const { status, json } = await api.capsule(version, { spec });
      assert.deepEqual([status, (json.init_containers as unknown[]).length], [202, 1]);
    }
  },

  '1.35': async (api) => {
    for (const version of ['1.1', '1.34', '1.35']) {
      const { uuid } = await member(api, version, { ports: [{ containerPort: 80, protocol: 'TCP' }] });
      const { queries } = api.bench.database;
      const row = await queries.selectFrom('container').select('exposed_ports').where('uuid', '=', String(uuid)).executeTakeFirstOrThrow();
      assert.deepEqual(JSON.parse(row.exposed_ports ?? ''), { '80/tcp': {} });
    }
  },

  '1.36': async (api) => {
    const terminal = async (version: string, members: object) => (await api.create(version, { ...members })).json.tty;
    for (const version of ['1.20', '1.35']) {
      assert.equal(await terminal(version, { interactive: true }), true);
      assert.equal(await terminal(version, { interactive: false, tty: true }), false);
      assert.equal(await terminal(version, { tty: true }), true);
    }
    assert.equal(await terminal('1.36', { interactive: true }), false);
    assert.equal(await terminal('1.36', { interactive: false, tty: true }), true);
    assert.equal(await terminal('1.19', { tty: true }), true);
  },

  '1.37': async (api) => {
    for (const version of ['1.1', '1.36', '1.37']) {
      const { tty, interactive } = await member(api, version, { tty: true, stdin: true });
      assert.deepEqual([tty, interactive], [true, true]);
    }
  },

  '1.38': async (api) => {
    for (const version of ['1.1', '1.37', '1.38']) {
      const { status, json } = await api.capsule(version, { metadata: { annotations: { note: 'kept' } } });
      assert.deepEqual([status, json.annotations], [202, { note: 'kept' }]);
    }
  },

  '1.39': async (api) => {
    assert.equal((await api.create('1.38', { host: 'bench' })).status, 400);
    const { status, json } = await api.create('1.39', { host: 'bench' });
    assert.deepEqual([status, (await api.show(String(json.uuid))).host], [202, 'bench']);
    assert.equal((await api.create('1.39', { host: 'bench' }, 'demo')).status, 403);
  },

  '1.40': async (api) => {
    assert.equal((await api.create('1.39', { entrypoint: ['sleep'] })).status, 400);
    const { status, json } = await api.create('1.40', { entrypoint: ['sleep'], command: ['10'] });
    assert.deepEqual([status, json.entrypoint], [202, ['sleep']]);
    assert.equal(await api.status('1.41', 'GET /v1/containers'), 406);
    assert.equal(await api.status('latest', 'GET /v1/containers'), 200);
  },
} satisfies Promises;

/** The only container of a capsule that has this in its template. */
async function member(api: VersionCaller, version: string, members: object): Promise<Record<string, unknown>> {
  const { status, json } = await api.capsule(version, { member: members });
  assert.equal(status, 202, JSON.stringify(json));
  await api.bench.runTasks();
  const { json: shown } = await api.call(version, `GET /v1/capsules/${json.uuid}`);
  const [only] = shown.containers as Record<string, unknown>[];
  return only ?? {};
}
