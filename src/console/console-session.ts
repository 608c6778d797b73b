import type { WebSocket } from 'ws';
import type { Console, TerminalSize } from '../runtime/console.ts';
import type { Clock } from '../telemetry/clock.ts';
import type { ConsoleOutcome } from './console-observer.ts';
import { incompleteTail } from './incomplete-tail.ts';

export interface ConsoleSessionOptions {
  socket: WebSocket;
  console: Console;
  clock: Clock;
  /** It is closed when nothing has moved either way for so long. */
  idleMilliseconds: number;
  /** Who has it open may be sent pings, and answers them whatever else it does. */
  answersPings: boolean;
}

/** How it was. */
export interface SessionEnd {
  outcome: ConsoleOutcome;
  /** The engine's words, or what was wrong with a frame; `null` when there is nothing to say. */
  detail: string | null;
  bytesIn: number;
  bytesOut: number;
}

/** Of one frame to the client. */
const mostFrameBytes = 64 * 1024;
/** The process is not read while so much waits for a client that is slower. */
const mostUnsentBytes = 256 * 1024;
/**
 * The client is not read while so much waits for a process that is slower. Its leaving is not heard then either, so it is
 * much more than anybody types and most people paste.
 */
const mostUnreadBytes = 1024 * 1024;
/** So long half a character waits for its other half. */
const halfCharacterMilliseconds = 50;
const pingMilliseconds = 20_000;
const lostMilliseconds = 65_000;

/** One open console: bytes go both ways as they are, none faster than the other side takes them, until either side ends it. */
export class ConsoleSession {
  /** Resolves once the connection is gone; never rejects. */
  readonly ended: Promise<SessionEnd>;
  readonly #options: ConsoleSessionOptions;
  #outcome: ConsoleOutcome | null = null;
  #detail: string | null = null;
  #bytesIn = 0;
  #bytesOut = 0;
  /** The first bytes of a character whose others have not come. */
  #held: Buffer = Buffer.alloc(0);
  #isRead = true;
  #lastMoved: number;
  #lastHeard: number;
  #lastPinged: number;

  constructor(options: ConsoleSessionOptions) {
    this.#options = options;
    const { socket, console, clock } = options;
    this.#lastMoved = clock.monotonic();
    this.#lastHeard = this.#lastMoved;
    this.#lastPinged = this.#lastMoved;
    console.output
      .on('data', (chunk: Buffer) => this.#toClient(chunk))
      .once('end', () => this.#processEnded())
      .on('error', (error) => this.#runtimeLost(error.message))
      .once('close', () => this.#runtimeLost('the connection to it was cut'));
    // What can't be written to is said by the output; a process that reads no more is swallowed for.
    console.input.on('error', () => this.#inputOver()).once('close', () => this.#inputOver());
    socket
      .on('message', (data: Buffer) => this.#toProcess(data))
      .on('pong', () => this.#heard())
      .on('ping', () => this.#heard())
      .on('error', (error) => {
        this.#detail ??= error.message;
      });
    this.ended = new Promise((resolve) => {
      socket.once('close', () => {
        this.#letGo('client-closed');
        const outcome = this.#outcome ?? 'client-closed';
        resolve({ outcome, detail: this.#detail, bytesIn: this.#bytesIn, bytesOut: this.#bytesOut });
      });
    });
    // Lost since it was opened: nothing tells of that again.
    if (console.output.destroyed) this.#runtimeLost(console.output.errored?.message ?? 'the connection to it was cut');
  }

  /** Of the terminal; what goes wrong with it is nobody's loss. */
  async resize(size: TerminalSize): Promise<void> {
    await this.#options.console.resize(size).catch(() => {});
  }

  /** To be called a few times a second: asks whether the other side is still there, and ends what nobody uses. */
  tick(): void {
    if (this.#outcome) return;
    const { socket, clock, idleMilliseconds, answersPings } = this.#options;
    const now = clock.monotonic();
    // Who is not read can't be heard.
    if (socket.isPaused) this.#lastHeard = now;
    if (now - this.#lastMoved >= idleMilliseconds) {
      this.close(1001, 'Idle for too long', 'idle');
    } else if (answersPings && now - this.#lastHeard >= lostMilliseconds) {
      this.#letGo('client-lost');
      socket.terminate();
    } else if (answersPings && now - this.#lastPinged >= pingMilliseconds) {
      this.#lastPinged = now;
      socket.ping();
    }
  }

  /** Lets go of the process at once, and of the client when it has answered or half a minute has passed. Only the first time counts. */
  close(code: number, reason: string, outcome: ConsoleOutcome): void {
    if (this.#outcome) return;
    this.#letGo(outcome);
    const { socket } = this.#options;
    socket.close(code, reason);
    // Its answer has to be read.
    socket.resume();
  }

  /** Cuts the connection of a client that does not answer the end. */
  terminate(): void {
    this.#options.socket.terminate();
  }

  /** Of the process; what it writes from now on is nobody's. */
  #letGo(outcome: ConsoleOutcome): void {
    if (this.#outcome) return;
    this.#outcome = outcome;
    const { console } = this.#options;
    console.output.pause();
    console.close();
  }

  #processEnded(): void {
    this.#send(this.#held);
    this.close(1000, 'Target closed', 'target-closed');
  }

  #runtimeLost(detail: string): void {
    if (this.#outcome) return;
    this.#detail = detail;
    this.close(1011, 'The way to the process was lost', 'runtime-lost');
  }

  #toClient(chunk: Buffer): void {
    this.#lastMoved = this.#options.clock.monotonic();
    const bytes = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    const whole = bytes.length - incompleteTail(bytes);
    for (let start = 0; start < whole; ) {
      const most = bytes.subarray(start, Math.min(whole, start + mostFrameBytes));
      const frame = start + most.length < whole ? most.subarray(0, most.length - incompleteTail(most)) : most;
      this.#send(frame);
      start += frame.length;
    }
    const held = bytes.subarray(whole);
    this.#held = held;
    if (held.length === 0) return;
    void this.#options.clock.sleep(halfCharacterMilliseconds).then(() => {
      if (this.#held !== held) return;
      this.#held = Buffer.alloc(0);
      this.#send(held);
    });
  }

  /** No frame is empty: for python-zunclient that would be the end. */
  #send(frame: Buffer): void {
    const { socket, console } = this.#options;
    if (frame.length === 0 || this.#outcome) return;
    this.#bytesOut += frame.length;
    socket.send(frame, { binary: true }, () => {
      if (!this.#outcome && socket.bufferedAmount < mostUnsentBytes && console.output.isPaused()) console.output.resume();
    });
    if (socket.bufferedAmount >= mostUnsentBytes) console.output.pause();
  }

  #toProcess(data: Buffer): void {
    this.#lastMoved = this.#options.clock.monotonic();
    this.#heard();
    const { socket, console } = this.#options;
    if (data.length === 0 || this.#outcome || !this.#isRead) return;
    this.#bytesIn += data.length;
    console.input.write(data);
    if (console.input.writableLength < mostUnreadBytes || socket.isPaused) return;
    socket.pause();
    console.input.once('drain', () => socket.resume());
  }

  #inputOver(): void {
    this.#isRead = false;
    this.#options.socket.resume();
  }

  #heard(): void {
    this.#lastHeard = this.#options.clock.monotonic();
  }
}
