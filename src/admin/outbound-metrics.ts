import type { Clock } from '../telemetry/clock.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** Hears that a call begins, and then how it ended: `ok`, or the kind of the failure. */
export type OutboundObserver = (operation: string) => (outcome: string) => void;

/** Measures and logs the calls to one service (`engine`, `neutron`, …); the log's line carries the request that the call was made for. */
export function outboundMetrics(metrics: Metrics, clock: Clock, logger: Logger): (service: string) => OutboundObserver {
  const calls = metrics.duration('zun_outbound_call_duration_seconds', 'Time of a call to another service.', [
    'service',
    'operation',
    'outcome',
  ]);
  return (service) => (operation) => {
    const began = clock.now();
    return (outcome) => {
      const ms = clock.now() - began;
      calls.observe({ service, operation, outcome }, ms);
      logger.debug({ service, operation, outcome, ms }, 'outbound call');
    };
  };
}
