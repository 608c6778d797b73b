import type { LogOptions } from '../container-runtime.ts';
import type { StreamName } from './process-context.ts';

interface LogLine {
  at: number;
  stream: StreamName;
  /** With its newline, unless the process ended within the line. */
  bytes: Buffer;
}

const NEWLINE = 0x0a;

/** What a workload wrote, line by line in the order the lines ended. Kept through restarts. */
export class MemoryLog {
  readonly #lines: LogLine[] = [];
  readonly #open: Record<StreamName, Buffer> = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  write(stream: StreamName, bytes: Buffer): void {
    let rest = Buffer.concat([this.#open[stream], bytes]);
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      this.#lines.push({ at: this.#now(), stream, bytes: rest.subarray(0, end + 1) });
      rest = rest.subarray(end + 1);
    }
    this.#open[stream] = rest;
  }

  /** The process ended: what it left without a newline is a line too. */
  flush(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      if (this.#open[stream].length > 0) this.#lines.push({ at: this.#now(), stream, bytes: this.#open[stream] });
      this.#open[stream] = Buffer.alloc(0);
    }
  }

  read(options: LogOptions): Buffer {
    const asked = this.#lines.filter((line) => options[line.stream] && line.at >= options.since * 1000);
    const last = options.tail === 'all' ? asked : asked.slice(Math.max(0, asked.length - options.tail));
    return Buffer.concat(last.map((line) => (options.timestamps ? Buffer.concat([stamp(line.at), line.bytes]) : line.bytes)));
  }
}

/** RFC 3339 with nine digits and a space, as Docker writes it. */
function stamp(at: number): Buffer {
  return Buffer.from(`${new Date(at).toISOString().replace('Z', '000000Z')} `);
}
