import assert from 'node:assert/strict';
import { once } from 'node:events';
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
