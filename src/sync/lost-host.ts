import { type ServiceHeartbeat, serviceIsUp } from '../rules/service-is-up.ts';

/** Why nobody can tell how the containers of a host are. */
export interface HostLoss {
  host: string;
  /** `silent`: nothing was heard of it for too long. `declared`: an administrator says that it is down. */
  kind: 'silent' | 'declared';
  /** Its last sign of life, epoch milliseconds; `null` = it never gave one. */
  lastSeen: number | null;
}

/** `null` for a host that is up, by what the row of its service says. */
export function hostLoss(host: string, service: ServiceHeartbeat, now: number, downTimeSeconds: number): HostLoss | null {
  if (serviceIsUp(service, now, downTimeSeconds)) return null;
  return { host, kind: service.forcedDown ? 'declared' : 'silent', lastSeen: service.lastSeenUp };
}

const whatNow =
  'Its containers are left as they are, and shown as they are once it reports again. ' +
  'To have this one elsewhere create it anew; an administrator can delete it by force.';

/** What a user reads as `status_reason`: which host, since when, what can be done. The same words as long as the host is lost. */
export function lossReason({ host, kind, lastSeen }: HostLoss): string {
  const last = lastSeen === null ? null : `${new Date(lastSeen).toISOString().slice(0, 19)}Z`;
  if (kind === 'declared') return `Host ${host} was declared down by an administrator. ${whatNow}`;
  return `Host ${host} has ${last === null ? 'never reported' : `not reported since ${last}`}. ${whatNow}`;
}
