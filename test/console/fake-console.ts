import { Readable, Writable } from 'node:stream';
import type { Console, TerminalSize } from '../../src/runtime/console.ts';

/** A process that does what the test says. */
export class FakeConsole implements Console {
  readonly output: Readable;
  readonly input: Writable;
  readonly sizes: TerminalSize[] = [];
  /** What the process has read. */
  readonly read: Buffer[] = [];
  closes = 0;
  /** Bytes that were asked for of an endless output. */
  produced = 0;
  #readsOn = false;
  #waiting: (() => void) | null = null;

  /** `endless`: writes as much as is taken. `reads` false: it takes its input when `readOn` is called. */
  constructor({ endless = false, reads = true }: { endless?: boolean; reads?: boolean } = {}) {
    this.output = new Readable({
      read: (size) => {
        if (!endless) return;
        this.produced += size;
        this.output.push(Buffer.alloc(size, 'x'));
      },
    });
    this.input = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        const take = () => {
          this.read.push(chunk);
          done();
        };
        if (reads || this.#readsOn) take();
        else this.#waiting = take;
      },
    });
  }

  readOn(): void {
    this.#readsOn = true;
    this.#waiting?.();
    this.#waiting = null;
  }

  /** The process writes. */
  write(data: string | Buffer): void {
    this.output.push(Buffer.from(data));
  }

  /** The process ends. */
  end(): void {
    this.output.push(null);
  }

  get gotBytes(): number {
    return this.read.reduce((sum, { length }) => sum + length, 0);
  }

  get got(): Buffer {
    return Buffer.concat(this.read);
  }

  async resize(size: TerminalSize): Promise<void> {
    this.sizes.push(size);
  }

  close(): void {
    this.closes += 1;
  }
}
