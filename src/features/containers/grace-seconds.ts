import type { ApiRequest } from '../../api/operation.ts';
import { invalidValue } from '../../errors/catalogue.ts';

/** The longest that engines take, in seconds. */
const longest = 2_147_483_647;

/** The `timeout` of stop and reboot in seconds. The schema sees that of the query only; one in the body is held to the same. */
export function graceSeconds(request: ApiRequest, fallback: number): number {
  const { timeout } = request.params;
  if (timeout === undefined || timeout === null || timeout === '') return fallback;
  const seconds = typeof timeout === 'string' && /^\d+$/.test(timeout) ? Number(timeout) : timeout;
  if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 0 && seconds <= longest) return seconds;
  throw invalidValue(`Invalid value for timeout: whole seconds from 0 to ${longest} are wanted.`);
}
