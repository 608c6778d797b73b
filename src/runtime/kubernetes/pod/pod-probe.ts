import type { V1Probe } from '@kubernetes/client-node';
import type { Healthcheck } from '../../container-runtime.ts';

/** Docker's. */
const defaults = { intervalSeconds: 30, timeoutSeconds: 30, retries: 3 };

/**
 * The check as a readiness probe, which tells of it and ends nothing. Absent figures and 0 are Docker's defaults; Kubernetes knows whole
 * seconds only. The first probe comes at once, where Docker's waits an interval: a healthy container is seen as such sooner. Pure.
 */
export function podProbe(check: Healthcheck): V1Probe {
  return {
    exec: { command: ['/bin/sh', '-c', check.command] },
    periodSeconds: wholeSeconds(check.intervalSeconds, defaults.intervalSeconds),
    timeoutSeconds: wholeSeconds(check.timeoutSeconds, defaults.timeoutSeconds),
    failureThreshold: Math.max(1, Math.round(check.retries || defaults.retries)),
    successThreshold: 1,
  };
}

function wholeSeconds(seconds: number | null, otherwise: number): number {
  return Math.max(1, Math.ceil(seconds || otherwise));
}
