import { EdgeError } from '../edge-error.ts';
import type { PipelineStep } from './exchange.ts';

/** Operations that name content types accept no other; the original crashes where this answers 415. */
export const contentTypeStep: PipelineStep = (exchange) => {
  const accepted = exchange.endpoint?.row.content_types;
  if (!accepted) return undefined;
  const given = (exchange.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!accepted.includes(given)) {
    throw new EdgeError(415, `Unsupported content type '${given}'. Accepted: ${accepted.join(', ')}.`);
  }
  return undefined;
};
