/**
 * So much is sent ahead of what comes back. conmon 2.1.6, which holds terminals for Podman 4.3, writes to a terminal without reading from it
 * meanwhile: where a process does not read, or writes as much as it reads, some 64 KiB at once left both waiting for each other, for ever, and the
 * workload could not be removed any more.
 */
export class UnansweredWindow {
  readonly #size: number;
  #unanswered = 0;
  #over = false;
  #moved = Promise.withResolvers<void>();

  constructor(size: number) {
    this.#size = size;
  }

  /** Sends the bytes in pieces as the window moves; resolves when all are sent, or nobody is there any more. */
  async send(bytes: Buffer, write: (piece: Buffer) => Promise<void>): Promise<void> {
    for (let at = 0; at < bytes.length && !this.#over; ) {
      const room = this.#size - this.#unanswered;
      if (room <= 0) {
        await this.#moved.promise;
        continue;
      }
      const piece = bytes.subarray(at, at + room);
      this.#unanswered += piece.length;
      at += piece.length;
      await write(piece);
    }
  }

  /** So many bytes have come back: echo, or what a program made of what it read. */
  answered(length: number): void {
    this.#unanswered = Math.max(0, this.#unanswered - length);
    this.#move();
  }

  /** The process has ended, or nobody talks to it any more. */
  end(): void {
    this.#over = true;
    this.#move();
  }

  #move(): void {
    this.#moved.resolve();
    this.#moved = Promise.withResolvers<void>();
  }
}
