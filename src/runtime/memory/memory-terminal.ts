import type { TerminalSize } from '../console.ts';
import type { ProcessInput } from './process-input.ts';

const [END, RETURN, NEWLINE, ERASE] = [0x04, 0x0d, 0x0a, 0x7f];

/** A terminal's line discipline: echo, lines that are corrected before they are read, and line ends; or, raw, none of it. */
export class MemoryTerminal {
  /** As before anybody has said it. */
  size: TerminalSize = { width: 0, height: 0 };
  isRaw = false;
  echoes = true;
  readonly #input: ProcessInput;
  readonly #show: (bytes: Buffer) => void;
  #line: number[] = [];

  /** What is typed goes to the input, and what is echoed is shown. */
  constructor(input: ProcessInput, show: (bytes: Buffer) => void) {
    this.#input = input;
    this.#show = show;
  }

  /** `taken` as for `ProcessInput`; lines are taken at once. */
  type(bytes: Buffer, taken: () => void): void {
    if (this.isRaw) {
      if (this.echoes) this.#show(bytes);
      this.#input.write(bytes, taken);
      return;
    }
    for (const byte of bytes) this.#key(byte === RETURN ? NEWLINE : byte);
    taken();
  }

  /** What a program's output is on the screen. */
  shown(bytes: Buffer): Buffer {
    return this.isRaw ? bytes : Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
  }

  #key(byte: number): void {
    if (byte === END) {
      this.#input.write(this.#line.length === 0 ? null : this.#taken());
    } else if (byte === ERASE) {
      if (this.#line.pop() !== undefined) this.#echo(Buffer.from('\b \b'));
    } else {
      this.#line.push(byte);
      this.#echo(this.shown(Buffer.from([byte])));
      if (byte === NEWLINE) this.#input.write(this.#taken());
    }
  }

  #taken(): Buffer {
    return Buffer.from(this.#line.splice(0));
  }

  #echo(bytes: Buffer): void {
    if (this.echoes) this.#show(bytes);
  }
}
