import { RuntimeFault } from '../../runtime-fault.ts';

const lineEnd = 0x0a;

/** Documents of JSON, one a line, out of bytes that come in any pieces. */
export class JsonLines {
  readonly #longest: number;
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  /** `longest`: bytes of a line; a longer one is thrown as a fault, so that it does not fill the memory. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** The lines that are complete now, parsed. */
  push(chunk: Buffer): unknown[] {
    const documents: unknown[] = [];
    let begin = 0;
    for (let end = chunk.indexOf(lineEnd); end >= 0; end = chunk.indexOf(lineEnd, begin)) {
      const line = Buffer.concat([...this.#pending, chunk.subarray(begin, end)])
        .toString('utf8')
        .trim();
      this.#pending = [];
      this.#pendingBytes = 0;
      begin = end + 1;
      if (line !== '') documents.push(parsed(line));
    }
    const rest = chunk.subarray(begin);
    if (rest.length > 0) this.#pending.push(rest);
    this.#pendingBytes += rest.length;
    if (this.#pendingBytes > this.#longest) {
      throw new RuntimeFault('unreachable', `Kubernetes sent a line of more than ${this.#longest} bytes.`);
    }
    return documents;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new RuntimeFault('unreachable', `Kubernetes sent a line that is no JSON: ${JSON.stringify(line.slice(0, 100))}`, {
      cause: error,
    });
  }
}
