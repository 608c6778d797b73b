import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ContainerView, refused, type ZunSession } from './zun-session.ts';

/** `list` with every filter, sort key, marker and limit, and `show`. */
export function listing(open: () => ZunSession): void {
  describe('list and show', () => {
    let made: ContainerView[];
    const names = (found: ContainerView[]) => found.map(({ name }) => name);
    const list = (options: Record<string, unknown> = {}) => open().call<ContainerView[]>('containers.list', [], options);

    before(async () => {
      const zun = open();
      made = [
        await zun.create({ name: 'list-b', memory: '64', cpu: 0.2 }),
        await zun.create({ name: 'list-a', memory: '128', cpu: 0.1, auto_remove: true }),
        await zun.run({ name: 'list-c', memory: '96', image: `${zun.registry.host}/busybox:2.0` }),
      ];
    });
    after(() => open().remove(...made.map(({ uuid }) => uuid)));

    test('openstack appcontainer list shows them in the order they were made', async () => {
      const zun = open();
      const rows = await zun.json<Record<string, string>[]>('appcontainer list');
      assert.deepEqual(Object.keys(rows[0] ?? {}), ['uuid', 'name', 'image', 'status', 'task_state', 'addresses', 'ports']);
      assert.deepEqual(
        rows.map(({ name, status }) => [name, status]),
        [
          ['list-b', 'Created'],
          ['list-a', 'Created'],
          ['list-c', 'Running'],
        ],
      );
      assert.match(rows[2]?.addresses ?? '', /^\d+\.\d+\.\d+\.\d+$/);
    });

    test('every filter of the command keeps the rows that match', async () => {
      const zun = open();
      const filtered = async (...options: string[]) =>
        (await zun.json<{ name: string }[]>('appcontainer list', ...options)).map(({ name }) => name);
      const [first] = made;
      assert.deepEqual(await filtered('--name', 'list-a'), ['list-a']);
      assert.deepEqual(await filtered('--image', `${zun.registry.host}/busybox:2.0`), ['list-c']);
      assert.deepEqual(await filtered('--status', 'Running'), ['list-c']);
      assert.deepEqual(await filtered('--memory', '128'), ['list-a']);
      assert.deepEqual(await filtered('--auto-remove', 'true'), ['list-a']);
      assert.deepEqual(await filtered('--auto-remove', 'false'), ['list-b', 'list-c']);
      assert.deepEqual(await filtered('--task-state', 'container_stopping'), []);
      assert.deepEqual(await filtered('--project-id', String(first?.project_id)), ['list-b', 'list-a', 'list-c']);
      assert.deepEqual(await filtered('--user-id', 'nobody'), []);
    });

    test("the filter host is the administrator's, who sees every project only with --all-projects", async () => {
      const zun = open();
      await refused(list({ host: 'x' }), 403, /container:get_one:host/);
      const [host] = await zun.callAs<{ hostname: string }[]>('zun-admin', 'hosts.list');
      const listed = await zun.callAs<ContainerView[]>('zun-admin', 'containers.list', [], { all_projects: true, host: host?.hostname });
      assert.deepEqual(names(listed), ['list-b', 'list-a', 'list-c']);
      assert.ok(listed.every((row) => row.host === host?.hostname));
      assert.deepEqual(await zun.callAs('zun-admin', 'containers.list'), []);
      await refused(list({ all_projects: true }), 403, /container:get_all_all_projects/);
    });

    test('every sort key orders, both ways', async () => {
      assert.deepEqual(names(await list({ sort_key: 'name' })), ['list-a', 'list-b', 'list-c']);
      assert.deepEqual(names(await list({ sort_key: 'name', sort_dir: 'desc' })), ['list-c', 'list-b', 'list-a']);
      assert.deepEqual(names(await list({ sort_key: 'cpu', sort_dir: 'asc' })).slice(-1), ['list-c']);
      assert.deepEqual(names(await list({ sort_key: 'created_at', sort_dir: 'desc' })), ['list-c', 'list-a', 'list-b']);
      const keys = [
        'uuid',
        'image',
        'status',
        'status_reason',
        'task_state',
        'memory',
        'project_id',
        'user_id',
        'host',
        'hostname',
        'updated_at',
      ];
      for (const sort_key of keys) assert.equal((await list({ sort_key })).length, 3, sort_key);
      await refused(list({ sort_key: 'nosuch' }), 400, /nosuch/);
      await refused(list({ sort_dir: 'sideways' }), 400, /sideways/);
    });

    test('limit and marker walk through the pages; next leads on', async () => {
      const zun = open();
      const [first, second] = made;
      const walked: string[] = [];
      let path = '/v1/containers?limit=1&sort_key=name';
      while (path && walked.length < 9) {
        const page = JSON.parse((await zun.http('zun', 'GET', path)).text) as { containers: ContainerView[]; next: string | null };
        walked.push(...names(page.containers));
        path = page.next === null ? '' : page.next.slice(page.next.indexOf('/v1/'));
      }
      assert.deepEqual(walked, ['list-a', 'list-b', 'list-c']);
      const rest = await zun.json<{ name: string }[]>('appcontainer list', '--marker', String(first?.uuid), '--limit', '5');
      assert.deepEqual(
        rest.map(({ name }) => name),
        ['list-a', 'list-c'],
      );
      const backwards = await zun.json<{ name: string }[]>(
        'appcontainer list',
        '--sort-key',
        'name',
        '--sort-dir',
        'desc',
        '--marker',
        String(first?.uuid),
      );
      assert.deepEqual(
        backwards.map(({ name }) => name),
        ['list-a'],
      );
      assert.ok(second);
      await refused(list({ marker: '11111111-1111-4111-8111-111111111111' }), 404, /11111111/);
      await refused(list({ limit: -1 }), 400, /Limit must be positive integer/);
    });

    test('show gives the whole row by name and by uuid', async () => {
      const zun = open();
      const [first] = made;
      const shown = await zun.json<ContainerView>('appcontainer show', 'list-b');
      assert.deepEqual([shown.uuid, shown.memory, shown.cpu, shown.status], [first?.uuid, '64', 0.2, 'Created']);
      const same = await zun.show(String(first?.uuid));
      assert.deepEqual(same.name, 'list-b');
      assert.equal('host' in same, false);
      const seenByAdmin = await zun.jsonAs<ContainerView>('zun-admin', 'appcontainer show', '--all-projects', 'list-b');
      assert.equal(seenByAdmin.uuid, first?.uuid);
      assert.ok(seenByAdmin.host);
      await refused(zun.call('containers.get', ['list-b'], { all_projects: true }), 403, /container:get_one_all_projects/);
    });

    test('two containers may share a name, which is then no name', async () => {
      const zun = open();
      const twin = await zun.create({ name: 'list-b' });
      await refused(zun.show('list-b'), 409, /Multiple containers exist with same name/);
      await zun.remove(twin.uuid);
    });
  });
}
