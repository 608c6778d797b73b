import type { Clock } from '../../telemetry/clock.ts';
import type { MemoryFiles } from './memory-files.ts';
import type { MemoryTerminal } from './memory-terminal.ts';
import type { ProcessContext, Sink, Sinks, StreamName } from './process-context.ts';
import { ProcessEnd } from './process-end.ts';
import type { ProcessStreams } from './process-streams.ts';
import { programs } from './programs.ts';
import { runScript } from './script.ts';

export interface ProcessSetup {
  clock: Clock;
  files: MemoryFiles;
  environment: Record<string, string>;
  workdir: string;
  streams: ProcessStreams;
}

/**
 * A process of the memory runtime: one of the programs in `programs.ts`, in time of the given clock.
 * As PID 1 of a container it has no default signal handlers: without a trap only SIGKILL ends it.
 */
export class MemoryProcess implements ProcessContext {
  readonly files: MemoryFiles;
  readonly variables: Map<string, string>;
  readonly streams: ProcessStreams;
  readonly traps = new Map<string, string>();
  workdir: string;
  lastStatus = 0;

  readonly #clock: Clock;
  readonly #killed = new AbortController();
  #redirect: Sinks = {};
  #pending: string[] = [];
  #resumed: PromiseWithResolvers<void> | null = null;

  constructor(setup: ProcessSetup) {
    this.#clock = setup.clock;
    this.files = setup.files;
    this.variables = new Map(Object.entries(setup.environment));
    this.workdir = setup.workdir;
    this.streams = setup.streams;
  }

  static has(program: string): boolean {
    return programs.has(program.replace(/^\/(?:usr\/)?s?bin\//, ''));
  }

  /** Runs to the end and answers the exit code; 137 when killed. Never rejects for what the program does. */
  async run(argv: string[]): Promise<number> {
    try {
      return await this.call(argv);
    } catch (error) {
      if (error instanceof ProcessEnd) return error.code;
      throw error;
    } finally {
      this.streams.end();
    }
  }

  get terminal(): MemoryTerminal | null {
    return this.streams.terminal;
  }

  async call([name = '', ...args]: string[]): Promise<number> {
    await this.checkpoint();
    const program = programs.get(name.replace(/^\/(?:usr\/)?s?bin\//, ''));
    if (!program) {
      this.out('stderr', `sh: ${name}: not found\n`);
      return 127;
    }
    return program(this, args);
  }

  out(stream: StreamName, data: string | Buffer): void {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    this.sink(stream)(bytes);
  }

  sink(stream: StreamName): Sink {
    return this.#redirect[stream] ?? ((bytes) => this.streams.write(stream, bytes));
  }

  async redirected<T>(redirect: Sinks, work: () => Promise<T>): Promise<T> {
    const outer = this.#redirect;
    this.#redirect = { ...outer, ...redirect };
    try {
      return await work();
    } finally {
      this.#redirect = outer;
    }
  }

  async sleep(milliseconds: number): Promise<void> {
    await this.#clock.sleep(milliseconds, this.#killed.signal);
    await this.checkpoint();
  }

  async read(): Promise<Buffer | null> {
    const bytes = (await this.streams.input?.read(this.#killed.signal)) ?? null;
    await this.checkpoint();
    return bytes;
  }

  async readLine(): Promise<string | null> {
    const line = (await this.streams.input?.readLine(this.#killed.signal)) ?? null;
    await this.checkpoint();
    return line;
  }

  async sleepForEver(): Promise<never> {
    for (;;) await this.sleep(2_000_000_000);
  }

  async checkpoint(): Promise<void> {
    while (this.#resumed && !this.#killed.signal.aborted) await this.#resumed.promise;
    if (this.streams.isFull) await this.streams.untilDrained(this.#killed.signal);
    if (this.#killed.signal.aborted) throw new ProcessEnd(137);
    const trap = this.traps.get(this.#pending.shift() ?? '');
    if (trap !== undefined) await runScript(this, trap);
  }

  /** `name` without `SIG`. */
  signal(name: string): void {
    if (name === 'KILL') {
      this.#killed.abort();
      this.#resumed?.resolve();
    } else this.#pending.push(name);
  }

  pause(): void {
    this.#resumed ??= Promise.withResolvers<void>();
  }

  resume(): void {
    this.#resumed?.resolve();
    this.#resumed = null;
  }
}
