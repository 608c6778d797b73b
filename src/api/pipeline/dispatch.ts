import { EdgeError } from '../edge-error.ts';
import type { PipelineStep } from './exchange.ts';

/** Runs the operation: policy, state and work are its own. */
export const dispatchStep: PipelineStep = async (exchange) => {
  const { endpoint, context, match } = exchange;
  if (!endpoint || !context || !match) throw new EdgeError(404, '');
  return endpoint.operation.handle({
    context,
    version: exchange.version,
    path: match.path,
    query: exchange.query,
    params: exchange.params,
    baseUrl: exchange.baseUrl,
  });
};
