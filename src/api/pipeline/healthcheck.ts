import { prefersJson } from '../accept.ts';
import type { PipelineStep } from './exchange.ts';

/** `/healthcheck` answers that the service is there, to anybody and before everything else. Origin: oslo.middleware healthcheck. */
export const healthcheckStep: PipelineStep = ({ segments, method, headers }) => {
  if (segments.length !== 1 || segments[0] !== 'healthcheck') return undefined;
  if (method === 'HEAD') return { status: 204 };
  if (prefersJson(headers.accept)) return { status: 200, body: { detailed: false, reasons: ['OK'] } };
  return { status: 200, body: 'OK', headers: { 'content-type': 'text/plain; charset=UTF-8' } };
};
