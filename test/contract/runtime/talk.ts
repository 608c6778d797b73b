import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Console, ConsoleTarget } from '../../../src/runtime/console.ts';
import { eventually } from './eventually.ts';
import type { RuntimeFixture } from './runtime-fixture.ts';

/** One end of a console, as a person at a keyboard has it. All that comes is read at once and kept. */
export class Talk {
  readonly console: Console;
  readonly #chunks: Buffer[] = [];
  #failure: Error | null = null;
  #ended = false;

  constructor(console: Console) {
    this.console = console;
    console.output.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
    console.output.on('end', () => {
      this.#ended = true;
    });
    console.output.on('error', (error) => {
      this.#failure = error;
    });
  }

  /** All that came so far. */
  said(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** Types, and waits where the other end does not take more. */
  async type(text: string | Buffer): Promise<void> {
    if (!this.console.input.write(text)) await once(this.console.input, 'drain');
  }

  /** What came, once it matches; bytes are compared as Latin-1. */
  untilSaid(pattern: RegExp): Promise<string> {
    return eventually(
      `output with ${pattern}`,
      async () => this.#sound(),
      (text) => pattern.test(text),
    );
  }

  /** All that came, once the output has ended. */
  async untilEnded(): Promise<Buffer> {
    await eventually(
      'end of output',
      async () => ({ ended: this.#ended, said: this.#sound().slice(-200) }),
      ({ ended }) => ended,
    );
    return this.said();
  }

  #sound(): string {
    assert.equal(this.#failure, null, 'the output did not fail');
    return this.said().toString('latin1');
  }
}

/** Opens a console of the workload, talks through it, and closes it whatever happens. */
export async function withTalk(
  { runtime }: Pick<RuntimeFixture, 'runtime'>,
  uuid: string,
  target: ConsoleTarget,
  test: (talk: Talk) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const console = await runtime.openConsole(uuid, target, signal);
  try {
    await test(new Talk(console));
  } finally {
    console.close();
  }
}

export const attached: ConsoleTarget = { kind: 'attach' };

/** A command without terminal and stdin. */
export const command = (words: readonly string[]): ConsoleTarget => ({ kind: 'exec', command: words, interactive: false });

/** A command in a terminal of its own. */
export const inTerminal = (words: readonly string[]): ConsoleTarget => ({ kind: 'exec', command: words, interactive: true });

/** Sends every value a byte can have, again and again, to what gives back what it gets. */
export async function sameBytesBack(talk: Talk): Promise<void> {
  const everyByte = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
  const before = talk.said().length;
  for (let rounds = 1; rounds <= 8; rounds++) {
    await talk.type(everyByte);
    const length = rounds * everyByte.length;
    await eventually(
      `${length} bytes`,
      async () => talk.said().length - before,
      (come) => come >= length,
    );
  }
  assert.deepEqual(talk.said().subarray(before), Buffer.concat(Array.from({ length: 8 }, () => everyByte)));
  // Single keys, too: engines hear a pair of them as a wish of their own.
  const keys = [...'\x10\x11\x00~.'];
  for (const key of keys) {
    await talk.type(key);
    await pause(20);
  }
  await talk.type('end');
  assert.ok((await talk.untilSaid(/end$/)).endsWith(`${keys.join('')}end`));
}
