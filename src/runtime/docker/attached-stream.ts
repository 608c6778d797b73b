import type { Duplex } from 'node:stream';
import { FrameSplitter } from './frame-splitter.ts';

/** Who hears what a process writes. */
export interface StreamListener {
  /** Answers whether it takes more at once; where not, `resume` is called when it does. */
  data(bytes: Buffer): boolean;
  /** No more comes, whyever. */
  over(): void;
}

/**
 * A connection on which the engine speaks for a process, with one listener at a time. Without one, what comes is dropped: the process is
 * not to wait for nobody.
 */
export class AttachedStream {
  readonly #socket: Duplex;
  #listener: StreamListener | null = null;
  #over = false;
  readonly #onOver = Promise.withResolvers<void>();

  /** `framed`: as the engine sends what has no terminal. */
  constructor(socket: Duplex, framed: boolean, listener: StreamListener) {
    this.#socket = socket;
    this.#listener = listener;
    const frames = framed ? new FrameSplitter() : null;
    socket.on('data', (chunk: Buffer) => {
      for (const bytes of frames?.split(chunk) ?? [chunk]) if (this.#listener?.data(bytes) === false) socket.pause();
    });
    // A connection that is reset after its last byte, as Podman does where input is left unread, has ended like any other.
    socket.on('error', () => this.#end());
    socket.on('end', () => this.#end());
    socket.on('close', () => this.#end());
  }

  get isOver(): boolean {
    return this.#over;
  }

  /** Resolves when no more comes. */
  untilOver(): Promise<void> {
    return this.#onOver.promise;
  }

  /** From now on this one hears, in the place of whoever did. */
  listen(listener: StreamListener | null): void {
    this.#listener = listener;
    this.resume();
    if (this.#over) listener?.over();
  }

  resume(): void {
    if (this.#socket.isPaused()) this.#socket.resume();
  }

  /** `done` is called once the bytes are on their way, or nobody can take them any more. */
  write(bytes: Buffer, done: () => void): void {
    if (this.#over) done();
    else this.#socket.write(bytes, () => done());
  }

  close(): void {
    this.#socket.destroy();
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#onOver.resolve();
    this.#listener?.over();
  }
}
