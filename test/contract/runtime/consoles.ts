import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { eventually } from './eventually.ts';
import type { FixtureSource } from './runtime-fixture.ts';
import { catsRawly, endsWith, shell, tellsTerminalSize } from './scripts.ts';
import { attached, command, inTerminal, sameBytesBack, withTalk } from './talk.ts';
import { refused, withCreated, withStarted } from './workload.ts';

/** Consoles of commands: what is started in a workload to be talked to. Those of the main process are in `attachments.ts`. */
export function consoleTests(fixture: FixtureSource): void {
  test('a console of a command gives both streams, byte for byte, and ends with the command', async () => {
    await withStarted(fixture(), {}, async ({ uuid }) => {
      const both = shell('echo out; echo err >&2; [ -t 1 ] || echo no-tty; exit 3');
      await withTalk(fixture(), uuid, command(both), async (talk) => {
        assert.deepEqual((await talk.untilEnded()).toString().split('\n').toSorted(), ['', 'err', 'no-tty', 'out']);
      });
      await withTalk(fixture(), uuid, command(shell("printf '\\377\\376\\000A\\012'")), async (talk) => {
        assert.deepEqual([...(await talk.untilEnded())], [0xff, 0xfe, 0, 0x41, 0x0a]);
      });
    });
  });

  test('what is sent to a command without stdin is swallowed, and costs none of its output', async () => {
    await withStarted(fixture(), {}, async ({ uuid }) => {
      await withTalk(fixture(), uuid, command(shell('cat; sleep 1; echo done')), async (talk) => {
        await talk.type(Buffer.alloc(256 * 1024, 'x'));
        talk.console.input.end('x');
        assert.equal((await talk.untilEnded()).toString(), 'done\n');
      });
    });
  });

  test('the output of a command that does not exist is words that name it', async () => {
    await withStarted(fixture(), {}, async (workload) => {
      const targets = [command(['no-such-program']), inTerminal(['no-such-program'])];
      for (const target of targets) {
        await withTalk(fixture(), workload.uuid, target, async (talk) => {
          assert.match((await talk.untilEnded()).toString(), /no-such-program/, JSON.stringify(target));
        });
      }
      assert.equal((await workload.state()).status, 'running');
    });
  });

  test('a shell in a terminal answers what is typed, and its end is the end of the output', async () => {
    await withStarted(fixture(), { environment: { COLOUR: 'blue' }, workdir: '/work' }, async ({ uuid }) => {
      await withTalk(fixture(), uuid, inTerminal(['sh']), async (talk) => {
        await talk.type('echo "colour=$COLOUR"; [ -t 0 ] && pwd\n');
        await talk.untilSaid(/colour=blue\r\n\/work\r\n/);
        // A line that comes before the shell has left the terminal to cat waits for the next.
        await talk.type('echo "reading=$?"; cat\n');
        await talk.untilSaid(/reading=0\r\n/);
        await talk.type('read by cat\n');
        await talk.untilSaid(/read by cat\r\n.*read by cat\r\n/s);
        // The terminal's own signs: the end of what cat reads.
        await talk.type('\x04');
        await talk.type('echo "status=$?"\n');
        await talk.untilSaid(/status=0\r\n/);
        await talk.type('exit\n');
        await talk.untilEnded();
      });
    });
  });

  test('consoles open at a time do not hear each other', async () => {
    await withStarted(fixture(), {}, async ({ uuid }) => {
      const names = ['one', 'two', 'three'];
      const all = names.map((name) =>
        withTalk(fixture(), uuid, inTerminal(['cat']), async (talk) => {
          // One by one: what is typed meanwhile is echoed amid the answers.
          for (let i = 0; i < 10; i++) {
            await talk.type(`${name} ${i}\n`);
            await talk.untilSaid(new RegExp(`${name} ${i}\r\n.*${name} ${i}\r\n`, 's'));
          }
          const said = talk.said().toString();
          for (const other of names.filter((candidate) => candidate !== name)) assert.ok(!said.includes(other), `${other} in ${said}`);
        }),
      );
      await Promise.all(all);
    });
  });

  test('every byte goes through a raw terminal unchanged', async () => {
    await withStarted(fixture(), {}, async ({ uuid }) => {
      await withTalk(fixture(), uuid, inTerminal(catsRawly), async (talk) => {
        await talk.untilSaid(/ready\n/);
        await sameBytesBack(talk);
      });
    });
  });

  test('a long paste comes back from a raw terminal whole', async () => {
    const pasted = randomBytes(256 * 1024);
    await withStarted(fixture(), {}, async ({ uuid }) => {
      await withTalk(fixture(), uuid, inTerminal(catsRawly), async (talk) => {
        await talk.untilSaid(/ready\n/);
        const before = talk.said().length;
        talk.console.input.write(pasted);
        await eventually(
          'all that was pasted',
          async () => talk.said().length - before,
          (come) => come >= pasted.length,
        );
        assert.ok(talk.said().subarray(before).equals(pasted));
      });
    });
  });

  test('a paste that nobody reads holds up neither the next console nor the end of the workload', async () => {
    await withStarted(fixture(), {}, async ({ uuid }) => {
      for (let times = 0; times < 2; times++) {
        await withTalk(fixture(), uuid, inTerminal(shell('echo ready; sleep 1000')), async (talk) => {
          await talk.untilSaid(/ready/);
          talk.console.input.write(Buffer.alloc(200_000, 'a line\n'));
          await talk.untilSaid(/a line/);
        });
      }
      await fixture().runtime.remove(uuid);
      assert.equal(await fixture().runtime.inspect(uuid), null);
    });
  });

  test('a terminal takes its new size, again and again', async () => {
    await withStarted(fixture(), {}, async ({ uuid }) => {
      await withTalk(fixture(), uuid, inTerminal(tellsTerminalSize), async (talk) => {
        await talk.console.resize({ width: 101, height: 37 });
        await talk.untilSaid(/37 101\r\n/);
        await talk.console.resize({ width: 80, height: 24 });
        await talk.untilSaid(/37 101\r\n[\s\S]*24 80\r\n/);
      });
    });
  });

  test('a size without a terminal, or after the end, is nothing', async () => {
    await withStarted(fixture(), {}, async ({ uuid }) => {
      await withTalk(fixture(), uuid, command(shell('sleep 1; echo done')), async (talk) => {
        await talk.console.resize({ width: 101, height: 37 });
        assert.equal((await talk.untilEnded()).toString(), 'done\n');
        await talk.console.resize({ width: 80, height: 24 });
      });
    });
  });

  test('the signal ends the opening alone', async () => {
    const { runtime } = fixture();
    await withStarted(fixture(), {}, async ({ uuid }) => {
      await refused(runtime.openConsole(uuid, command(['echo', 'x']), AbortSignal.abort()), 'timeout');
      const opening = new AbortController();
      const speaks = command(shell('sleep 1; echo on'));
      await withTalk(
        fixture(),
        uuid,
        speaks,
        async (talk) => {
          opening.abort();
          assert.equal((await talk.untilEnded()).toString(), 'on\n');
        },
        opening.signal,
      );
    });
  });

  test('a console of what does not run or does not exist is refused', async () => {
    const { runtime } = fixture();
    const targets = [attached, command(['echo', 'x']), inTerminal(['sh'])];
    await withCreated(fixture(), { interactive: true, tty: true }, async ({ uuid }) => {
      for (const target of targets) await refused(runtime.openConsole(uuid, target), 'conflict');
    });
    await withStarted(fixture(), { command: endsWith(0) }, async (workload) => {
      await workload.until('exited');
      for (const target of targets) await refused(runtime.openConsole(workload.uuid, target), 'conflict');
    });
    const nowhere = '00000000-0000-4000-8000-000000000000';
    for (const target of targets) await refused(runtime.openConsole(nowhere, target), 'not-found');
  });
}
