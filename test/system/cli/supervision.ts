import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../engine/until.ts';
import { sleeper, type ZunSession } from './zun-session.ts';

/** What happens by itself: restarts, health, healing, and what the engine does behind Zun's back. */
export function supervision(open: () => ZunSession): void {
  describe('supervision', () => {
    test('restart policies keep a container running, or give up after the retries', async () => {
      const zun = open();
      const always = await zun.run(
        { restart_policy: { Name: 'always' }, command: ['sh', '-c', 'sleep 1; exit 1'] },
        'Running',
        'Restarting',
      );
      const failing = await zun.run(
        { restart_policy: { Name: 'on-failure', MaximumRetryCount: '1' }, command: ['sh', '-c', 'echo try; exit 5'] },
        'Stopped',
      );
      // Podman's container is at rest for a moment between two tries.
      await until('both tries', async () => {
        const logs = await zun.call<string>('containers.logs', [failing.uuid], { stdout: true, stderr: true });
        return logs === 'try\ntry\n' ? true : null;
      });
      assert.match(String((await zun.until(failing.uuid, 'Stopped')).status_detail), /^Exited\(5\)/);
      const started = async () =>
        (await zun.engine.json<{ RestartCount: number }>({ method: 'GET', path: `/containers/zun-${always.uuid}/json` })).RestartCount;
      await until('it was restarted', async () => ((await started()) > 0 ? true : null));
      assert.match((await zun.until(always.uuid, 'Running', 'Restarting')).status, /Running|Restarting/);
      await zun.remove(always.uuid, failing.uuid);
    });

    test('health is shown', async () => {
      const zun = open();
      const healthcheck = { interval: '1', timeout: '2', retries: '1' };
      const well = await zun.run({ healthcheck: { ...healthcheck, cmd: 'true' } });
      const ill = await zun.run({ healthcheck: { ...healthcheck, cmd: 'false' } });
      const detail = (uuid: string, text: RegExp) =>
        until(`${text}`, async () => (text.test(String((await zun.show(uuid)).status_detail)) ? true : null));
      await detail(well.uuid, /\(healthy\)/);
      await detail(ill.uuid, /\(unhealthy\)/);
      await zun.remove(well.uuid, ill.uuid);
    });

    test('auto_heal makes a container anew that the engine lost; without it the row is in Error', async () => {
      const zun = open();
      const healed = await zun.run({ auto_heal: true });
      const lost = await zun.run();
      const first = await zun.inspect(healed.uuid);
      for (const { uuid } of [healed, lost]) {
        await zun.engine.request({ method: 'DELETE', path: `/containers/zun-${uuid}`, query: { force: true } });
      }
      await until('it is healed', async () => {
        const { status, task_state } = await zun.show(healed.uuid);
        return status === 'Running' && task_state === null && (await zun.inspect(healed.uuid)).Id !== first.Id ? true : null;
      });
      const { status, status_reason } = await until('it is in Error', async () => {
        const seen = await zun.show(lost.uuid);
        return seen.status === 'Error' ? seen : null;
      });
      assert.equal(status, 'Error');
      assert.ok(status_reason);
      await zun.remove(healed.uuid, lost.uuid);
    });

    test('the row follows what is done in the engine', async () => {
      const zun = open();
      const { uuid } = await zun.run({ command: sleeper });
      const inEngine = (action: string) => zun.engine.request({ method: 'POST', path: `/containers/zun-${uuid}/${action}` });
      const seen = (status: string) => until(status, async () => ((await zun.show(uuid)).status === status ? true : null), 5_000);
      await inEngine('pause');
      await seen('Paused');
      await inEngine('unpause');
      await seen('Running');
      await inEngine('kill');
      await seen('Stopped');
      await inEngine('start');
      await seen('Running');
      await zun.remove(uuid);
    });
  });
}
