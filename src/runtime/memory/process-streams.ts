import { Readable, Writable } from 'node:stream';
import type { Console } from '../console.ts';
import { MemoryTerminal } from './memory-terminal.ts';
import type { StreamName } from './process-context.ts';
import { ProcessInput } from './process-input.ts';

export interface ProcessStreamsOptions {
  tty: boolean;
  /** stdin is there and stays open; without it, what reads sees its end at once. */
  interactive: boolean;
  /** Keeps what the process writes. */
  record?: (stream: StreamName, bytes: Buffer) => void;
}

/** stdin, stdout and stderr of a process, with its terminal and the consoles that are open on it. */
export class ProcessStreams {
  readonly input: ProcessInput | null;
  readonly terminal: MemoryTerminal | null;
  readonly #record: ProcessStreamsOptions['record'];
  readonly #open = new Set<Readable>();
  /** Those that do not take more now. */
  readonly #full = new Set<Readable>();
  #drained = Promise.withResolvers<void>();
  #ended = false;

  constructor({ tty, interactive, record }: ProcessStreamsOptions) {
    const input = new ProcessInput();
    this.input = interactive ? input : null;
    this.terminal = tty ? new MemoryTerminal(input, (bytes) => this.#show('stdout', bytes)) : null;
    this.#record = record;
  }

  /** A terminal has one stream. */
  write(stream: StreamName, bytes: Buffer): void {
    if (this.terminal) this.#show('stdout', this.terminal.shown(bytes));
    else this.#show(stream, bytes);
  }

  /** Hears what the process writes from now on. */
  open(): Console {
    const output = new Readable({ read: () => this.#takes(output) });
    const input = new Writable({ write: (bytes: Buffer, _encoding, done) => this.#send(bytes, done) });
    for (const each of [output, input]) each.on('error', () => {});
    output.once('close', () => {
      this.#open.delete(output);
      this.#takes(output);
    });
    this.#open.add(output);
    if (this.#ended) output.push(null);
    return {
      output,
      input,
      resize: async (size) => {
        if (this.terminal) this.terminal.size = size;
      },
      close: () => {
        output.destroy();
        input.destroy();
      },
    };
  }

  /** Somebody who listens takes no more now: whoever writes is to wait. */
  get isFull(): boolean {
    return this.#full.size > 0;
  }

  /** Resolves when all who listen take more, or the signal aborts. */
  async untilDrained(signal: AbortSignal): Promise<void> {
    while (this.isFull && !signal.aborted) {
      const stop = () => this.#drained.resolve();
      signal.addEventListener('abort', stop, { once: true });
      await this.#drained.promise;
      signal.removeEventListener('abort', stop);
    }
  }

  /** The process has ended. */
  end(): void {
    this.#ended = true;
    this.input?.close();
    for (const output of this.#open) output.push(null);
  }

  #send(bytes: Buffer, taken: () => void): void {
    if (!this.input) taken();
    else if (this.terminal && !this.#ended) this.terminal.type(bytes, taken);
    else this.input.write(bytes, taken);
  }

  #show(stream: StreamName, bytes: Buffer): void {
    this.#record?.(stream, bytes);
    for (const output of this.#open) if (!output.push(bytes)) this.#full.add(output);
  }

  #takes(output: Readable): void {
    if (!this.#full.delete(output) || this.#full.size > 0) return;
    this.#drained.resolve();
    this.#drained = Promise.withResolvers<void>();
  }
}
