const NEWLINE = 0x0a;

interface Piece {
  /** `null`: an end for whoever reads now; what comes later is read by the next. */
  bytes: Buffer | null;
  taken(): void;
}

/** stdin of a process: what was sent and is not read yet. It stays open. */
export class ProcessInput {
  #pieces: Piece[] = [];
  #closed = false;
  #come = Promise.withResolvers<void>();

  /** `taken` is called once the process has read it, or never will. */
  write(bytes: Buffer | null, taken: () => void = () => {}): void {
    if (this.#closed) {
      taken();
      return;
    }
    this.#pieces.push({ bytes, taken });
    this.#wake();
  }

  /** The next bytes; `null` for an end, and when the signal aborts first. */
  async read(signal: AbortSignal): Promise<Buffer | null> {
    while (this.#pieces.length === 0 && !this.#closed && !signal.aborted) {
      const stop = () => this.#wake();
      signal.addEventListener('abort', stop, { once: true });
      await this.#come.promise;
      signal.removeEventListener('abort', stop);
    }
    const piece = this.#pieces.shift();
    piece?.taken();
    return piece?.bytes ?? null;
  }

  /** The next line without its newline; what follows it is left for whoever reads next. */
  async readLine(signal: AbortSignal): Promise<string | null> {
    let line = Buffer.alloc(0);
    for (;;) {
      const bytes = await this.read(signal);
      if (bytes === null) return line.length > 0 ? line.toString() : null;
      const end = bytes.indexOf(NEWLINE);
      line = Buffer.concat([line, end < 0 ? bytes : bytes.subarray(0, end)]);
      if (end < 0) continue;
      if (end + 1 < bytes.length) this.#pieces.unshift({ bytes: bytes.subarray(end + 1), taken: () => {} });
      return line.toString();
    }
  }

  /** The process has ended: all is taken from now on. */
  close(): void {
    this.#closed = true;
    for (const { taken } of this.#pieces.splice(0)) taken();
    this.#wake();
  }

  #wake(): void {
    this.#come.resolve();
    this.#come = Promise.withResolvers<void>();
  }
}
