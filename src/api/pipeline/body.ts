import type { Readable } from 'node:stream';
import { EdgeError } from '../edge-error.ts';
import type { Exchange, PipelineStep } from './exchange.ts';

/** The longest body, in bytes. */
export interface BodyLimits {
  body: number;
  /** Of `put_archive`, whose archive travels in it. */
  archive: number;
}

/**
 * Reads the body: only now, when the caller and the operation are known, so that nobody without a token fills memory, and no longer
 * than that operation takes. What is longer is refused with 413 and its connection closed, or it would be sent to its end.
 */
export function bodyStep(limits: BodyLimits): PipelineStep {
  return async (exchange) => {
    const limit = exchange.endpoint?.row.path.endsWith('/put_archive') ? limits.archive : limits.body;
    if (exchange.body) exchange.rawBody = await readBody(exchange, exchange.body, limit);
    return undefined;
  };
}

async function readBody({ headers }: Exchange, body: Readable, limit: number): Promise<Buffer> {
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLong(limit);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > limit) throw tooLong(limit);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof EdgeError) throw error;
    throw new EdgeError(400, 'The body of the request ended early.', { connection: 'close' });
  }
  return Buffer.concat(chunks, length);
}

const tooLong = (limit: number) => new EdgeError(413, `The body of this request may have at most ${limit} bytes.`, { connection: 'close' });
