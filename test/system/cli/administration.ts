import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ContainerView, refused, type ZunSession } from './zun-session.ts';

interface Service {
  Host: string;
  Binary: string;
  State: string;
  Disabled: boolean;
}

/** What the administrator sees and sets: services, hosts, zones, quotas. */
export function administration(open: () => ZunSession): void {
  const admin = <Shape>(command: string, ...argv: string[]) => open().jsonAs<Shape>('zun-admin', `appcontainer ${command}`, ...argv);
  const unplaced = async () => {
    const zun = open();
    const { uuid, status_reason } = await zun.create({}, 'Error', 'Created');
    await zun.remove(uuid);
    return status_reason;
  };

  describe('administration', () => {
    test('service list, disable, enable and forcedown; a disabled or downed service gets no containers', async () => {
      const zun = open();
      const [service] = await admin<Service[]>('service list');
      assert.ok(service);
      assert.deepEqual([service.Binary, service.State, service.Disabled], ['zun-compute', 'up', false]);
      const disabled = await admin<Record<string, unknown>>('service disable', '--reason', 'repair', service.Host, 'zun-compute');
      assert.deepEqual([disabled.Disabled, disabled['Disabled Reason']], [true, 'repair']);
      assert.equal(await unplaced(), 'There are not enough hosts available.');
      const enabled = await admin<Record<string, unknown>>('service enable', service.Host, 'zun-compute');
      assert.equal(enabled.Disabled, false);
      assert.equal(await unplaced(), null);
      await zun.openstackAs('zun-admin', 'appcontainer', 'service', 'forcedown', service.Host, 'zun-compute');
      assert.equal((await admin<Service[]>('service list'))[0]?.State, 'down');
      assert.equal(await unplaced(), 'There are not enough hosts available.');
      await zun.openstackAs('zun-admin', 'appcontainer', 'service', 'forcedown', '--unset', service.Host, 'zun-compute');
      assert.equal((await admin<Service[]>('service list'))[0]?.State, 'up');
      await refused(zun.call('services.list'), 403, /zun-service:get_all/);
      await refused(zun.callAs('zun-admin', 'services.disable', ['nosuch', 'zun-compute']), 404, /nosuch/);
    });

    test("host list and show give the machine's own figures", async () => {
      const [host] = await admin<Record<string, unknown>[]>('host list');
      assert.ok(host && Number(host.cpus) > 0 && Number(host.mem_total) > 0);
      const shown = await admin<Record<string, unknown>>('host show', String(host.hostname));
      assert.deepEqual([shown.uuid, shown.cpus, shown.os_type], [host.uuid, host.cpus, 'linux']);
      assert.ok(String(shown.kernel_version).length > 0);
      await refused(open().call('hosts.list'), 403, /host:get_all/);
    });

    test('everybody sees the availability zones', async () => {
      const zones = await open().json<{ availability_zone: string }[]>('appcontainer availability zone list');
      assert.deepEqual(zones, [{ availability_zone: 'nova' }]);
    });

    test('a quota that is reached refuses the next container; default and delete take it back', async () => {
      const zun = open();
      const { uuid, project_id } = await zun.create({ cpu: 0.5, memory: '64' });
      const project = String(project_id);
      const before = await admin<Record<string, unknown>>('quota get', '--usages', project);
      assert.ok(JSON.stringify(before).includes('in_use'));
      await admin('quota update', '--containers', '1', '--memory', '64', project);
      await refused(zun.create(), 403, /Quota exceeded.*containers/i);
      const own = await zun.json<Record<string, unknown>>('appcontainer quota get', project);
      assert.equal(own.containers, 1);
      await zun.openstackAs('zun-admin', 'appcontainer', 'quota', 'delete', project);
      const defaults = await admin<Record<string, unknown>>('quota default', project);
      assert.equal((await zun.callAs<Record<string, unknown>>('zun-admin', 'quotas.get', [project])).containers, defaults.containers);
      const another = await zun.create();
      await zun.remove(uuid, another.uuid);
      await refused(zun.call('quotas.update', [project], { containers: 99 }), 403, /quota:update/);
    });

    test('a quota class sets the defaults of every project', async () => {
      const zun = open();
      const before = await admin<Record<string, unknown>>('quota class get', 'default');
      const changed = await admin<Record<string, unknown>>('quota class update', '--containers', '77', 'default');
      assert.equal(changed.containers, 77);
      const { project_id, uuid } = await zun.create();
      assert.equal((await admin<Record<string, unknown>>('quota default', String(project_id))).containers, 77);
      await admin('quota class update', '--containers', String(before.containers), 'default');
      await zun.remove(uuid);
    });

    test('the versions are told without a token', async () => {
      const zun = open();
      const answer = await fetch(zun.standalone.url);
      const { versions } = (await answer.json()) as { versions: { max_version: string; status: string }[] };
      assert.deepEqual([answer.status, versions[0]?.max_version, versions[0]?.status], [200, '1.40', 'CURRENT']);
      const old = await zun.http('zun', 'GET', '/v1/containers', null, { 'OpenStack-API-Version': 'container 1.1' });
      assert.deepEqual(Object.keys(JSON.parse(old.text)).sort(), ['containers', 'next']);
      const refusal = await zun.http('zun', 'GET', '/v1/containers', null, { 'OpenStack-API-Version': 'container 1.99' });
      assert.equal(refusal.status, 406);
    });

    test('of another project nothing is seen', async () => {
      const zun = open();
      const made = await zun.callAs<ContainerView>('zun-admin', 'containers.create', [], {
        image: zun.image,
        name: 'theirs',
        command: ['true'],
      });
      await refused(zun.show(made.uuid), 404, /could not be found/);
      await refused(zun.call('containers.delete', ['theirs']), 404, /theirs/);
      await zun.remove(made.uuid).catch(() => {});
    });
  });
}
