import type { Readable } from 'node:stream';
import type { Clock } from '../../../telemetry/clock.ts';
import { JsonLines } from './json-lines.ts';

/** An object is at most a few MiB; what is longer is not one. */
const longestLine = 32 * 1024 * 1024;

/** The body of a watch, read piece by piece, so that the socket waits while nobody asks. */
export class WatchConnection {
  readonly body: Readable;
  readonly lines = new JsonLines(longestLine);
  readonly #chunks: AsyncIterator<Buffer>;

  constructor(body: Readable) {
    this.body = body;
    this.#chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** The next bytes, `silent` when there are none in time. */
  async chunk(clock: Clock, milliseconds: number): Promise<Buffer | 'ended' | 'silent'> {
    const over = new AbortController();
    let silent = false;
    void clock.sleep(milliseconds, over.signal).then(() => {
      if (over.signal.aborted) return;
      silent = true;
      this.body.destroy();
    });
    try {
      const { done, value } = await this.#chunks.next();
      if (silent) return 'silent';
      return done ? 'ended' : value;
    } catch (error) {
      if (silent) return 'silent';
      throw error;
    } finally {
      over.abort();
    }
  }
}
