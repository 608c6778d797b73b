import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { WorkloadSpec } from '../../../src/runtime/container-runtime.ts';
import { eventually } from './eventually.ts';
import type { FixtureSource } from './runtime-fixture.ts';
import { catsRawly, countsSeconds, tellsTerminalSize } from './scripts.ts';
import { attached, sameBytesBack, withTalk } from './talk.ts';
import { withStarted } from './workload.ts';

/** Consoles of a workload's main process. */
export function attachmentTests(fixture: FixtureSource): void {
  const inTerminal = (command: string[]): Partial<WorkloadSpec> => ({ command, tty: true, interactive: true });
  const withStdin = (command: string[]): Partial<WorkloadSpec> => ({ command, tty: false, interactive: true });

  test('all who are attached to a terminal see it, and it goes on without them', async (t) => {
    const { runtime, terminals } = fixture();
    if (terminals === false) return t.skip('the runtime of this machine gives no terminals');
    await withStarted(fixture(), inTerminal(['sh']), async (workload) => {
      const { uuid } = workload;
      await withTalk(fixture(), uuid, attached, async (stays) => {
        await withTalk(fixture(), uuid, attached, async (leaves) => {
          await leaves.type('echo "first=$?"\n');
          await Promise.all([leaves, stays].map((talk) => talk.untilSaid(/first=0\r\n/)));
        });
        assert.equal((await workload.state()).status, 'running');
        await withTalk(fixture(), uuid, attached, async (comes) => {
          await stays.type('echo "second=$?"\n');
          await Promise.all([comes, stays].map((talk) => talk.untilSaid(/second=0\r\n/)));
          assert.doesNotMatch(comes.said().toString(), /first/, 'only what comes from now on');
          await runtime.stop(uuid, 0);
          await Promise.all([comes.untilEnded(), stays.untilEnded()]);
        });
      });
    });
  });

  test('the terminal of the main process takes its new size', async (t) => {
    if (fixture().terminals === false) return t.skip('the runtime of this machine gives no terminals');
    await withStarted(fixture(), inTerminal(tellsTerminalSize), async ({ uuid }) => {
      await withTalk(fixture(), uuid, attached, async (talk) => {
        await talk.console.resize({ width: 101, height: 37 });
        await talk.untilSaid(/37 101\r\n/);
      });
    });
  });

  test('every byte goes through the raw terminal of the main process unchanged', async (t) => {
    if (fixture().terminals === false) return t.skip('the runtime of this machine gives no terminals');
    await withStarted(fixture(), inTerminal(catsRawly), async (workload) => {
      await workload.untilLogged('ready');
      await withTalk(fixture(), workload.uuid, attached, sameBytesBack);
      assert.equal((await workload.state()).status, 'running');
    });
  });

  test('what is sent to a process without a terminal is answered on both streams', async () => {
    await withStarted(fixture(), withStdin(['sh']), async ({ uuid }) => {
      await withTalk(fixture(), uuid, attached, async (talk) => {
        await talk.type('echo "out=$?"; echo "err=$?" >&2\n');
        await talk.untilSaid(/out=0\n/);
        await talk.untilSaid(/err=0\n/);
        assert.equal(talk.said().length, 'out=0\nerr=0\n'.length, 'nothing else');
        await talk.console.resize({ width: 80, height: 24 });
        await talk.type('exit\n');
        await talk.untilEnded();
      });
    });
  });

  test('a process that reads goes on when a console of it is closed, and is there for the next', async () => {
    await withStarted(fixture(), withStdin(['cat']), async (workload) => {
      for (const word of ['one', 'two', 'three']) {
        await withTalk(fixture(), workload.uuid, attached, async (talk) => {
          await talk.type(`${word}\n`);
          assert.equal(await talk.untilSaid(/\n/), `${word}\n`);
          talk.console.close();
          await eventually('closed', async () => talk.console.output.closed, Boolean);
        });
      }
      assert.equal((await workload.state()).status, 'running');
    });
  });

  test('a mebibyte of all bytes goes in and out unchanged, also past one who reads slowly', async () => {
    const sent = Buffer.concat([Buffer.from(Array.from({ length: 256 }, (_, value) => value)), randomBytes(1024 * 1024)]);
    await withStarted(fixture(), withStdin(['cat']), async ({ uuid }) => {
      const console = await fixture().runtime.openConsole(uuid, attached);
      try {
        const written = write(sent, 10_000, console.input);
        const chunks: Buffer[] = [];
        let length = 0;
        for await (const chunk of console.output as AsyncIterable<Buffer>) {
          chunks.push(chunk);
          length += chunk.length;
          await pause(1);
          if (length >= sent.length) break;
        }
        await written;
        assert.ok(Buffer.concat(chunks).equals(sent), `${length} bytes of ${sent.length}, the same`);
      } finally {
        console.close();
      }
    });
  });

  test('the end of the input ends neither the process, which may be talked to by others, nor the output', async () => {
    await withStarted(fixture(), withStdin(['cat']), async ({ uuid }) => {
      await withTalk(fixture(), uuid, attached, async (ends) => {
        ends.console.input.end('last words\n');
        await ends.untilSaid(/last words\n/);
        await withTalk(fixture(), uuid, attached, async (goesOn) => {
          await goesOn.type('more\n');
          await Promise.all([ends, goesOn].map((talk) => talk.untilSaid(/more\n/)));
        });
      });
    });
  });

  test('the output of a process without stdin comes, and what is sent to it is swallowed', async () => {
    await withStarted(fixture(), { command: countsSeconds }, async (workload) => {
      await withTalk(fixture(), workload.uuid, attached, async (talk) => {
        await talk.type(Buffer.alloc(256 * 1024, 'x'));
        talk.console.input.end('x');
        await talk.untilSaid(/tick\n[\s\S]*tick\n/);
        assert.equal((await workload.state()).status, 'running');
        await fixture().runtime.kill(workload.uuid, 'SIGKILL');
        await talk.untilEnded();
      });
    });
  });
}

/** In pieces, as fast as they are taken. */
async function write(bytes: Buffer, piece: number, to: NodeJS.WritableStream): Promise<void> {
  for (let at = 0; at < bytes.length; at += piece) {
    if (!to.write(bytes.subarray(at, at + piece))) await once(to, 'drain');
  }
}
