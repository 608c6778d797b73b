import type { AnsweredRequest } from '../api/answered-request.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** Methods that routes have; others are a client's invention and count together. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts the requests of the API by route, not by path. */
export function httpMetrics(metrics: Metrics): (answered: AnsweredRequest) => void {
  const requests = metrics.counter('zun_http_requests_total', 'Requests answered by the API.', ['method', 'route', 'status']);
  const durations = metrics.duration('zun_http_request_duration_seconds', 'Time from a request to its answer.', ['method', 'route']);
  return ({ method, route, status, milliseconds }) => {
    const labels = { method: methods.has(method) ? method : 'other', route: route ?? 'none' };
    requests.add({ ...labels, status });
    durations.observe(labels, milliseconds);
  };
}
