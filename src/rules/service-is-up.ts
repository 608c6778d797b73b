/** What is known of a service's health; times in epoch milliseconds. */
export interface ServiceHeartbeat {
  forcedDown: boolean;
  lastSeenUp: number | null;
  updatedAt: number | null;
  createdAt: number | null;
}

/**
 * Whether a service counts as up: not forced down, and its last sign at most `downTimeSeconds` from now. A sign from the
 * future counts by its distance too, so that a clock that runs ahead is seen. Without any sign it is down.
 * Origin: zun/api/servicegroup.py, service_is_up.
 */
export function serviceIsUp(service: ServiceHeartbeat, now: number, downTimeSeconds: number): boolean {
  const lastSign = service.lastSeenUp ?? service.updatedAt ?? service.createdAt;
  return !service.forcedDown && lastSign !== null && Math.abs(now - lastSign) <= downTimeSeconds * 1000;
}
