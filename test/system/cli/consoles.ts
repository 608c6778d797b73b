import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ZunSession } from './zun-session.ts';

/** The end of a shell's prompt, after which it reads: its cursor's place is asked for, which nobody answers. */
const prompt = '/ # ';
const entered = 'press Enter to continue';

/** A size reaches the terminal in a moment. */
const untilSize = (size: string): string => `until stty size | grep '${size}'; do sleep 1; done\n`;

/** What `openstack appcontainer` does at a terminal: the client asks for an address and goes there. */
export function consoles(open: () => ZunSession): void {
  describe('consoles', () => {
    test('run --interactive ends in the shell, which has the size of the window, follows it, and takes any letters', async () => {
      const zun = open();
      const words = ['appcontainer', 'run', '--interactive', '--name', 'shell', zun.image, 'sh'];
      const shown = await zun.terminal(words, [
        { until: entered, send: '\n' },
        { until: prompt, send: untilSize('30 90') },
        { until: '\r\n30 90', size: [40, 100] },
        { until: prompt, send: untilSize('40 100') },
        { until: '\r\n40 100', send: 'echo grüße $((40 + 2)) 容器\n' },
        { until: 'grüße 42 容器', send: 'exit\n' },
      ]);
      assert.match(shown, /\r\ngrüße 42 容器\r\n/);
      const { uuid } = await zun.show('shell');
      await zun.until(uuid, 'Stopped');
      await zun.remove(uuid);
    });

    test('exec --interactive starts a shell of its own, which ends with its exit; what it is told is done', async () => {
      const zun = open();
      const { uuid } = await zun.run();
      await zun.terminal(
        ['appcontainer', 'exec', '--interactive', uuid, 'sh'],
        [
          { until: entered, send: '\n' },
          { until: prompt, send: 'stty size\n' },
          { until: '30 90', send: 'echo by-hand > /mark; exit\n' },
        ],
      );
      const { output } = await zun.call<{ output: string }>('containers.execute', [uuid], { command: 'cat /mark' });
      assert.equal(output, 'by-hand\n');
      await zun.remove(uuid);
    });

    test('attach shows what the process writes, and can be left and come back to', async () => {
      const zun = open();
      const script = 'while read line; do echo heard $line; done';
      const { uuid } = await zun.run({ interactive: true, tty: true, command: ['sh', '-c', script] });
      const said = async (word: string) => {
        const shown = await zun.terminal(
          ['appcontainer', 'attach', uuid],
          [
            { until: entered, send: `${word}\n` },
            // The terminal's hang-up is the client's end.
            { until: `heard ${word}`, send: 'bye\n' },
            { until: 'heard bye', hangUp: true },
          ],
        );
        assert.ok(shown.includes(`heard ${word}`));
      };
      await said('one');
      await said('two');
      assert.equal((await zun.show(uuid)).status, 'Running');
      await zun.remove(uuid);
    });

    test('a command that is not there is said, and ends', async () => {
      const zun = open();
      const { uuid } = await zun.run();
      const shown = await zun.terminal(
        ['appcontainer', 'exec', '--interactive', uuid, 'nosuchbinary'],
        [{ until: 'nosuchbinary', send: '' }],
      );
      assert.match(shown, /nosuchbinary/);
      await zun.remove(uuid);
    });
  });
}
