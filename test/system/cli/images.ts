import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { registryLogin } from '../engine/local-registry.ts';
import { until } from '../engine/until.ts';
import { type ContainerView, refused, type ZunSession } from './zun-session.ts';

interface Image {
  uuid: string;
  image_id: string | null;
  repo: string;
  tag: string;
  size: string | null;
}

/** Images on the node, and registries that want a login. */
export function images(open: () => ZunSession): void {
  describe('images and registries', () => {
    test('pull, list, show and delete', async () => {
      const zun = open();
      const [host] = await zun.jsonAs<{ hostname: string }[]>('zun-admin', 'appcontainer host list');
      const repo = `${zun.registry.host}/unused`;
      const pulled = await zun.jsonAs<Image>('zun-admin', 'appcontainer image pull', `${repo}:1.0`, host?.hostname ?? '');
      assert.deepEqual([pulled.repo, pulled.tag], [repo, '1.0']);
      const image = await until('it is pulled', async () => {
        const seen = await zun.jsonAs<Image>('zun-admin', 'appcontainer image show', pulled.uuid);
        return seen.image_id === null ? null : seen;
      });
      assert.ok(Number(image.size) > 0);
      const rows = await zun.jsonAs<Image[]>('zun-admin', 'appcontainer image list');
      assert.deepEqual(rows, [{ uuid: image.uuid, image_id: image.image_id, repo, tag: '1.0', size: image.size }]);
      await refused(zun.call('images.list'), 403, /image:get_all/);
      await zun.openstackAs('zun-admin', 'appcontainer', 'image', 'delete', pulled.uuid);
      await refused(zun.callAs('zun-admin', 'images.get', [pulled.uuid]), 400, /could not be found/);
      await assert.rejects(zun.engine.request({ method: 'GET', path: `/images/${repo}:1.0/json` }), /no such image/i);
    });

    test('a pull that fails says why; a plain user may not pull', async () => {
      const zun = open();
      const [host] = await zun.callAs<{ hostname: string }[]>('zun-admin', 'hosts.list');
      const wish = { repo: `${zun.registry.host}/nosuch:1.0`, host: host?.hostname };
      await refused(zun.call('images.create', [], wish), 403, /image:pull/);
      const { uuid } = await zun.callAs<Image>('zun-admin', 'images.create', [], wish);
      await until('it says why', async () => {
        const { status, text } = await zun.http('zun-admin', 'GET', `/v1/images/${uuid}`);
        return status === 400 && /manifest unknown|not found/i.test(text) ? true : null;
      });
      await refused(zun.callAs('zun-admin', 'images.create', [], { repo: 'Not A Name', host: host?.hostname }), 400, /Not A Name/);
      await refused(zun.callAs('zun-admin', 'images.create', [], { repo: 'busybox', host: 'nosuch' }), 400, /nosuch/);
    });

    test('search asks a registry, and tells in its words when it cannot be asked', async () => {
      const zun = open();
      const { exitCode, stdout, stderr } = await zun.try('zun', [
        'appcontainer',
        'image',
        'search',
        `${zun.registry.host}/busybox`,
        '-f',
        'json',
      ]);
      if (exitCode !== 0) assert.match(stderr, /.+ \(HTTP (503|404)\)/);
      else assert.ok(Array.isArray(JSON.parse(stdout)));
    });

    test('a registry resource gives the login that a private registry wants', async () => {
      const zun = open();
      const { host } = zun.lockedRegistry;
      const image = `${host}/team/busybox:1.0`;
      const stranger = await zun.create({ image }, 'Error');
      assert.match(String(stranger.status_reason), /authentication required|unauthorized|no basic auth/i);
      const wrong = await zun.json<Record<string, string>>(
        'appcontainer registry create',
        '--name',
        'wrong',
        '--domain',
        host,
        '--username',
        'zun',
        '--password',
        'no',
      );
      const mistaken = await zun.create({ image, registry: 'wrong' }, 'Error');
      assert.match(String(mistaken.status_reason), /unauthorized|authentication|incorrect|denied/i);
      const login = ['--username', registryLogin.username, '--password', registryLogin.password];
      const made = await zun.json<Record<string, string>>('appcontainer registry create', '--name', 'team', '--domain', host, ...login);
      assert.equal(JSON.stringify(made).includes(registryLogin.password), false);
      const { uuid } = await zun.json<ContainerView>('appcontainer run', '--registry', 'team', image, 'echo', 'in');
      assert.equal((await zun.until(uuid, 'Stopped')).registry_id, made.uuid);
      const [row] = zun.rows('select password from registry where uuid = ?', made.uuid ?? '');
      assert.match(String(row?.password), /^gAAAA/);
      await zun.remove(stranger.uuid, mistaken.uuid, uuid);
      await zun.json('appcontainer registry update', '--name', 'right', '--password', 'other', 'wrong');
      const listed = await zun.json<{ name: string }[]>('appcontainer registry list');
      assert.deepEqual(listed.map(({ name }) => name).sort(), ['right', 'team']);
      assert.equal((await zun.json<Record<string, string>>('appcontainer registry show', 'right')).domain, host);
      await zun.openstack('appcontainer', 'registry', 'delete', 'team', wrong.uuid ?? '');
      assert.deepEqual(await zun.call('registries.list'), []);
    });
  });
}
