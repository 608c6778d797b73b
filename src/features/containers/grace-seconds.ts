import type { ApiRequest } from '../../api/operation.ts';

/** The `timeout` of stop and reboot in seconds; the schema has made sure that it is digits. */
export function graceSeconds(request: ApiRequest, fallback: number): number {
  const { timeout } = request.params;
  return timeout === undefined || timeout === null || timeout === '' ? fallback : Number(timeout);
}
