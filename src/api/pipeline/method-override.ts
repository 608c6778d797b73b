import { mixedParams } from '../../validation/mixed-params.ts';
import { EdgeError } from '../edge-error.ts';
import type { PipelineStep } from './exchange.ts';

/**
 * `_method` in the query stands for a method that a browser can't send, but not in a GET. Comes before the version, as Pecan looks at
 * it first. Origin: pecan/rest.py (_route).
 */
export const methodOverrideStep: PipelineStep = (exchange) => {
  const { method, rawQuery } = exchange;
  const override = rawQuery.includes('_method') ? mixedParams(rawQuery)._method : undefined;
  if (typeof override !== 'string') return undefined;
  if (method === 'GET' && /^(delete|put)$/i.test(override)) throw new EdgeError(405, '');
  exchange.method = override.toUpperCase();
  return undefined;
};
