import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../engine/until.ts';
import { leftovers } from './leftovers.ts';
import { sleeper, type ZunSession } from './zun-session.ts';

/** Zun itself ends, well or badly, and comes back; last of the topics, since it restarts what they share. */
export function endurance(open: () => ZunSession): void {
  describe('endurance', () => {
    test('containers run on while Zun is stopped; it is ready again within 2 s and knows what happened meanwhile', async () => {
      const zun = open();
      const runs = await zun.run();
      const ends = await zun.run({ command: ['sh', '-c', 'sleep 2; exit 6'] });
      const began = performance.now();
      assert.equal(await zun.standalone.stop(), 0);
      assert.ok(performance.now() - began < 10_000);
      const ready = await zun.standalone.start();
      await zun.reconnect();
      if (zun.engineName === 'docker') assert.ok(ready < 2_000 * slowness, `ready after ${ready} ms`);
      assert.equal((await zun.show(runs.uuid)).status, 'Running');
      assert.match(String((await zun.until(ends.uuid, 'Stopped')).status_detail), /^Exited\(6\)/);
      await zun.remove(runs.uuid, ends.uuid);
    });

    test('a create that Zun is killed in the middle of ends after the next start, and leaves nothing when it is deleted', async () => {
      const zun = open();
      const wishes = { image: zun.image, command: sleeper, mounts: [{ size: '1', destination: '/data' }] };
      const made = await Promise.all(
        [0, 1, 2].map((number) => zun.call<{ uuid: string }>('containers.run', [], { ...wishes, name: `killed-${number}` })),
      );
      await zun.standalone.kill();
      await zun.standalone.start();
      await zun.reconnect();
      for (const { uuid } of made) {
        const { status, status_reason } = await until(
          `${uuid} settles`,
          async () => {
            const seen = await zun.show(uuid);
            return seen.status !== 'Creating' && seen.task_state === null ? seen : null;
          },
          90_000,
        );
        assert.ok(status === 'Running' || (status === 'Error' && status_reason), `${status}: ${status_reason}`);
      }
      await zun.remove(...made.map(({ uuid }) => uuid));
      for (const { uuid } of made) assert.deepEqual(await leftovers(zun, uuid), []);
    });

    test('a second standalone on the same data is refused in words', async () => {
      const { exitCode, stderr } = await open().standalone.tryTwin();
      assert.notEqual(exitCode, 0);
      assert.match(stderr, /^zun: .*(already|another|in use)/im);
    });
  });
}

/** Test machines are shared. */
const slowness = 3;
