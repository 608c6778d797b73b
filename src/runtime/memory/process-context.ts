import type { MemoryFiles } from './memory-files.ts';
import type { MemoryTerminal } from './memory-terminal.ts';

export type StreamName = 'stdout' | 'stderr';
export type Sink = (bytes: Buffer) => void;
export type Sinks = Partial<Record<StreamName, Sink>>;

/** What programs and scripts see of the process they run in. */
export interface ProcessContext {
  readonly files: MemoryFiles;
  readonly variables: Map<string, string>;
  /** Its terminal, where it has one. */
  readonly terminal: MemoryTerminal | null;
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
  /** The next bytes of stdin; `null` is its end. */
  read(): Promise<Buffer | null>;
  /** The next line of stdin without its newline. */
  readLine(): Promise<string | null>;
  sleepForEver(): Promise<never>;
  /** Where a process may end, be held, or run its traps: between commands, as in a real shell. */
  checkpoint(): Promise<void>;
}
