import type { MemoryFiles } from './memory-files.ts';

export type StreamName = 'stdout' | 'stderr';
export type Sink = (bytes: Buffer) => void;
export type Sinks = Partial<Record<StreamName, Sink>>;

/** What programs and scripts see of the process they run in. */
export interface ProcessContext {
  readonly files: MemoryFiles;
  readonly variables: Map<string, string>;
  readonly tty: boolean;
  /** stdin stays open. */
  readonly interactive: boolean;
  /** Scripts by signal name without `SIG`. */
  readonly traps: Map<string, string>;
  workdir: string;
  lastStatus: number;

  /** Runs a program inside this process, as a shell runs a command in its foreground. */
  call(argv: string[]): Promise<number>;
  out(stream: StreamName, data: string | Buffer): void;
  /** Where the stream's bytes go now. */
  sink(stream: StreamName): Sink;
  redirected<T>(redirect: Sinks, work: () => Promise<T>): Promise<T>;
  sleep(milliseconds: number): Promise<void>;
  /** Waits for input that never comes. */
  sleepForEver(): Promise<never>;
  /** Where a process may end, be held, or run its traps: between commands, as in a real shell. */
  checkpoint(): Promise<void>;
}
