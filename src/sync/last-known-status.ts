import type { StatusFields, ZunStatus } from './docker-status.ts';

type Shown = Pick<StatusFields, 'status' | 'statusDetail'>;

/** Statuses that are true only as long as somebody can look. The others say what was asked for, or what has failed. */
export const statusesThatNeedALook: readonly ZunStatus[] = ['Created', 'Running', 'Stopped', 'Paused', 'Restarting', 'Dead'];

const detail = /^Was (\w+)$/;

/** Of a container that nobody can look at: Unknown, why, and what it was before, for the user and for what is done once it is found gone. */
export function unknownStatus(previous: StatusFields, reason: string): StatusFields {
  const { status, statusDetail } = previous;
  if (status === 'Unknown') return { status, statusReason: reason, statusDetail };
  if (!statusesThatNeedALook.includes(status)) return previous;
  return { status: 'Unknown', statusReason: reason, statusDetail: `Was ${status}` };
}

/** The status, or of an Unknown one the last that was known, if any was. */
export function lastKnownStatus({ status, statusDetail }: Shown): ZunStatus {
  const [, was] = detail.exec(statusDetail ?? '') ?? [];
  return status === 'Unknown' && was !== undefined ? (was as ZunStatus) : status;
}
