import type { Readable, Writable } from 'node:stream';

/**
 * Which process a console is of. `attach`: the workload's main process, with the stdin and the terminal that its spec gives it. `exec`: a
 * command that is started in the workload for this console; with a terminal and stdin when it is interactive, else with neither.
 */
export type ConsoleTarget = { kind: 'attach' } | { kind: 'exec'; command: readonly string[]; interactive: boolean };

/** Columns and rows of a terminal, from 1. */
export interface TerminalSize {
  width: number;
  height: number;
}

/** A process that is talked to, byte for byte. */
export interface Console {
  /**
   * What the process writes from now on: stdout and stderr as they come, or its terminal. Ends when the process has, after all its output, and when
   * the attachment is over; is destroyed with a `RuntimeFault` when the way to it is lost. While it is not read, the process waits.
   */
  readonly output: Readable;
  /**
   * What the process reads; without stdin all is swallowed. Its end says nothing to the process, whose stdin stays open for who attaches
   * next.
   */
  readonly input: Writable;
  /** Of the terminal; nothing happens where there is none, or the process has ended. Throws no fault. */
  resize(size: TerminalSize): Promise<void>;
  /** Lets go of the process, which goes on without it: its input has not ended. May be called twice. */
  close(): void;
}
