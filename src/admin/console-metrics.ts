import type { ConsoleObserver } from '../console/console-observer.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** Counts the consoles of this process. */
export function consoleMetrics(metrics: Metrics): ConsoleObserver {
  let open = 0;
  metrics.gauge('zun_consoles_open', 'Consoles that are open.', [], () => [{ labels: {}, value: open }]);
  const ended = metrics.counter('zun_consoles_total', 'Consoles that were asked for, by how that ended.', ['outcome']);
  const bytes = metrics.counter('zun_console_bytes_total', 'Bytes of consoles that have ended.', ['direction']);
  return {
    refused: (reason) => ended.add({ outcome: `refused-${reason}` }),
    opened() {
      open += 1;
    },
    ended({ outcome, bytesIn, bytesOut }) {
      open -= 1;
      ended.add({ outcome });
      bytes.add({ direction: 'in' }, bytesIn);
      bytes.add({ direction: 'out' }, bytesOut);
    },
  };
}
