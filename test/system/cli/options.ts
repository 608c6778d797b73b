import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../engine/until.ts';
import { type ContainerView, refused, sleeper, type ZunSession } from './zun-session.ts';

/** Options of create, each seen inside the container or in the engine. */
export function options(open: () => ZunSession): void {
  const outputOf = async (wishes: Record<string, unknown>): Promise<string> => {
    const zun = open();
    const { uuid } = await zun.run(wishes, 'Stopped');
    const logs = await zun.call<string>('containers.logs', [uuid], { stdout: true, stderr: true });
    await zun.remove(uuid);
    return logs.replaceAll('\r', '');
  };

  describe('options of create', () => {
    test('the command takes them all at once, and show gives them back', async () => {
      const zun = open();
      const argv = [
        '--name',
        'full',
        '--cpu',
        '0.5',
        '--memory',
        '80',
        '--workdir',
        '/tmp',
        '--hostname',
        'box',
        '--restart',
        'on-failure:2',
      ];
      argv.push('--environment', 'COLOUR=green', '--environment', 'SHAPE=round', '--label', 'team=blue', '--auto-heal', '--interactive');
      argv.push(
        '--expose-port',
        '80/tcp',
        '--hint',
        'group=one',
        '--availability-zone',
        'nova',
        '--healthcheck',
        'cmd=true,interval=1s,retries=2,timeout=3s',
      );
      argv.push('--entrypoint', 'sh -c', '--wait', zun.image, 'echo $COLOUR $SHAPE; pwd; hostname; sleep 100');
      const made = await zun.json<ContainerView>('appcontainer create', ...argv);
      const shown = await zun.until(made.uuid, 'Created');
      assert.deepEqual(
        [shown.cpu, shown.memory, shown.workdir, shown.hostname, shown.restart_policy, shown.environment, shown.labels],
        [0.5, '80', '/tmp', 'box', { Name: 'on-failure', MaximumRetryCount: '2' }, { COLOUR: 'green', SHAPE: 'round' }, { team: 'blue' }],
      );
      assert.deepEqual([shown.auto_heal, shown.interactive, shown.tty, shown.entrypoint], [true, true, true, ['sh', '-c']]);
      assert.deepEqual(shown.healthcheck, { test: 'true', interval: 1, retries: 2, timeout: 3 });
      await zun.call('containers.start', [made.uuid]);
      await zun.until(made.uuid, 'Running');
      const logs = await until('its output', async () => {
        const text = await zun.call<string>('containers.logs', [made.uuid], { stdout: true, stderr: true });
        return text.includes('box') ? text : null;
      });
      assert.deepEqual(logs.split(/\r?\n/).slice(0, 3), ['green round', '/tmp', 'box']);
      const { Config, HostConfig } = await zun.inspect(made.uuid);
      assert.deepEqual(HostConfig.RestartPolicy, { Name: 'on-failure', MaximumRetryCount: 2 });
      assert.equal(Config.Labels?.team, 'blue');
      assert.ok(Config.Env?.includes('COLOUR=green'));
      await zun.remove(made.uuid);
    });

    test('a command alone, an entrypoint alone, and neither', async () => {
      assert.equal(await outputOf({ command: ['echo', 'a b', '$HOME'] }), 'a b $HOME\n');
      assert.equal(await outputOf({ command: null, entrypoint: ['echo', 'entered'] }), 'entered\n');
      assert.equal(await outputOf({ command: ['more'], entrypoint: ['echo', 'entered'] }), 'entered more\n');
      const zun = open();
      // The image's own command is a shell, which ends when it has no input.
      const { uuid } = await zun.run({ command: null }, 'Stopped');
      assert.match(String((await zun.show(uuid)).status_detail), /^Exited\(0\)/);
      await zun.remove(uuid);
    });

    test('a name and a hostname are made up when none is given', async () => {
      const zun = open();
      const { uuid, name } = await zun.call<ContainerView>('containers.create', [], { image: zun.image, command: sleeper });
      assert.match(name, /^[a-z]+-\d+-container$/);
      assert.ok((await zun.until(uuid, 'Created')).hostname);
      await zun.remove(uuid);
    });

    test('tty and interactive are two wishes', async () => {
      const zun = open();
      const test = async (wishes: Record<string, boolean>) => {
        const { uuid } = await zun.create(wishes);
        const { Config } = await zun.inspect(uuid);
        await zun.remove(uuid);
        return [Config.OpenStdin, Config.Tty];
      };
      assert.deepEqual(await test({ interactive: true, tty: false }), [true, false]);
      assert.deepEqual(await test({ tty: true }), [false, true]);
      assert.equal(await outputOf({ tty: true, command: ['sh', '-c', 'test -t 1 && echo terminal'] }), 'terminal\n');
    });

    test('exposed ports are in the row and in the engine', async () => {
      const zun = open();
      const { uuid } = await zun.run({ exposed_ports: { '8080': {}, '53/udp': {} } });
      const { Config } = await zun.inspect(uuid);
      assert.deepEqual(Object.keys(Config.ExposedPorts as object).sort(), ['53/udp', '8080/tcp']);
      assert.deepEqual([...((await zun.show(uuid)).ports as number[])].sort(), [53, 8080]);
      await refused(zun.create({ exposed_ports: { 'http/tcp': {} } }), 400, /http/);
      await zun.remove(uuid);
    });

    test('a disk limit that the engine cannot keep is an Error that says so', async () => {
      const zun = open();
      const { uuid, status_reason } = await zun.create({ disk: 2 }, 'Error', 'Created');
      if (status_reason !== null) assert.match(status_reason, /disk/i);
      else assert.match(JSON.stringify((await zun.inspect(uuid)).HostConfig.StorageOpt), /2/);
      await zun.remove(uuid);
    });

    test('privileged is refused to everybody until policy.yaml allows it', async () => {
      const zun = open();
      await refused(zun.create({ privileged: true }), 403, /container:create:privileged/);
      await refused(
        zun.callAs('zun-admin', 'containers.create', [], { image: zun.image, privileged: true }),
        403,
        /container:create:privileged/,
      );
      await zun.withPolicy({ 'container:create:privileged': 'role:admin' }, async () => {
        const { uuid } = await zun.callAs<ContainerView>('zun-admin', 'containers.create', [], {
          image: zun.image,
          privileged: true,
          command: sleeper,
        });
        await refused(zun.create({ privileged: true }), 403, /container:create:privileged/);
        await until('created', async () => {
          const { status, status_reason } = await zun.callAs<ContainerView>('zun-admin', 'containers.get', [uuid]);
          assert.notEqual(status, 'Error', String(status_reason));
          return status === 'Created' ? true : null;
        });
        assert.equal((await zun.inspect(uuid)).HostConfig.Privileged, true);
        await zun.callAs('zun-admin', 'containers.delete', [uuid]);
      });
    });

    test('the administrator chooses pull policy, runtime and host, which the plain user may not', async () => {
      const zun = open();
      const asAdmin = async (...argv: string[]) => {
        const made = await zun.jsonAs<ContainerView>('zun-admin', 'appcontainer create', ...argv, zun.image, ...sleeper);
        const settled = await until(`${argv} settles`, async () => {
          const seen = await zun.callAs<ContainerView>('zun-admin', 'containers.get', [made.uuid]);
          return seen.status === 'Creating' ? null : seen;
        });
        const engineRuntime = settled.status === 'Created' ? (await zun.inspect(made.uuid)).HostConfig.Runtime : null;
        await zun.callAs('zun-admin', 'containers.delete', [made.uuid], { force: true });
        return { status: settled.status, reason: settled.status_reason, host: settled.host, runtime: settled.runtime, engineRuntime };
      };
      for (const given of [{ image_pull_policy: 'always' }, { runtime: 'runc' }, { host: 'x' }]) {
        await refused(zun.create(given), 403, /container:create:(image_pull_policy|runtime|requested_destination)/);
      }
      const [host] = await zun.callAs<{ hostname: string; runtimes: string[] }[]>('zun-admin', 'hosts.list');
      assert.ok(host?.runtimes.includes('runc'), JSON.stringify(host));
      const placed = await asAdmin('--runtime', 'runc', '--host', host?.hostname ?? '', '--image-pull-policy', 'always');
      assert.deepEqual([placed.status, placed.host, placed.runtime], ['Created', host?.hostname, 'runc']);
      assert.match(String(placed.engineRuntime), /^(runc|oci)$/);
      const never = await zun.jsonAs<ContainerView>(
        'zun-admin',
        'appcontainer create',
        '--image-pull-policy',
        'never',
        `${zun.registry.host}/unused:1.0`,
      );
      const failed = await until('it fails', async () => {
        const seen = await zun.callAs<ContainerView>('zun-admin', 'containers.get', [never.uuid]);
        return seen.status === 'Error' ? seen : null;
      });
      assert.match(String(failed.status_reason), /unused/);
      await zun.callAs('zun-admin', 'containers.delete', [never.uuid]);
      assert.match(String((await asAdmin('--runtime', 'nosuch')).reason), /There are not enough hosts available/);
    });

    test('a zone that is not there has no hosts; a bad image name is refused at once', async () => {
      const zun = open();
      const { uuid, status_reason } = await zun.create({ availability_zone: 'nosuch' }, 'Error');
      assert.equal(status_reason, 'There are not enough hosts available.');
      await zun.remove(uuid);
      await refused(zun.create({ image: 'busy box' }), 400, /busy box/);
      await refused(zun.create({ image: 'BusyBox' }), 400, /BusyBox/);
      assert.deepEqual(await zun.call('containers.list', [], { image: 'BusyBox' }), []);
    });
  });
}
