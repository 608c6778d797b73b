import type { Ids } from '../../telemetry/ids.ts';
import type { PipelineStep } from './exchange.ts';

/** Gives the request its id and puts it on the answer. Origin: oslo.middleware request_id. */
export function requestIdStep(ids: Ids): PipelineStep {
  return (exchange) => {
    exchange.requestId = ids.requestId();
    exchange.replyHeaders['x-openstack-request-id'] = exchange.requestId;
    return undefined;
  };
}
