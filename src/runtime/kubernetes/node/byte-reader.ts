/** Reads a stream of bytes by numbers of bytes. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #left: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** Exactly so many bytes; `null` when the stream ends before. */
  async take(size: number): Promise<Buffer | null> {
    const parts: Buffer[] = [];
    let missing = size;
    while (missing > 0) {
      const part = await this.#some(missing);
      if (part === null) return null;
      parts.push(part);
      missing -= part.length;
    }
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  }

  /** So many bytes as they come. Throws when the stream ends before. */
  async *pass(size: number): AsyncGenerator<Buffer> {
    let missing = size;
    while (missing > 0) {
      const part = await this.#some(missing);
      if (part === null) throw new Error(`The stream ended ${missing} bytes early.`);
      yield part;
      missing -= part.length;
    }
  }

  async skip(size: number): Promise<void> {
    const passed = this.pass(size);
    while (!(await passed.next()).done);
  }

  async *rest(): AsyncGenerator<Buffer> {
    for (let part = await this.#some(Number.POSITIVE_INFINITY); part !== null; part = await this.#some(Number.POSITIVE_INFINITY))
      yield part;
  }

  /** For a reader that stops early: lets the source go. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** At least one byte, at most so many; `null` at the end. */
  async #some(most: number): Promise<Buffer | null> {
    while (this.#left.length === 0) {
      const { value, done } = await this.#chunks.next();
      if (done) return null;
      this.#left = value;
    }
    const part = this.#left.subarray(0, most);
    this.#left = this.#left.subarray(part.length);
    return part;
  }
}
