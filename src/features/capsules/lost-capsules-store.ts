import type { Database } from '../../db/database.ts';
import { unknownStatus } from '../../sync/last-known-status.ts';
import type { Container } from '../containers/container.ts';
import { updateContainer } from '../containers/container-store.ts';
import { membersOf, type WholeCapsule } from './capsule.ts';
import { capsuleByUuid, capsulesOfHost } from './capsule-store.ts';

/**
 * Makes the capsules of a host and what is in them Unknown, for that reason; answers how many. One that a task works on is the task's. Two
 * queries when there is nothing to do, a transaction for each capsule else.
 */
export async function loseCapsules(database: Database, host: string, reason: string, now: number): Promise<number> {
  let lost = 0;
  for (const { capsule } of (await capsulesOfHost(database.queries, host)).filter(isToBeLost)) {
    const done = await database.transaction(async (queries) => {
      const whole = await capsuleByUuid(queries, capsule.uuid);
      if (!whole || !isToBeLost(whole)) return false;
      for (const row of rowsOf(whole).filter(needsALook)) await updateContainer(queries, row.uuid, unknownRow(row, reason), now);
      return true;
    });
    if (done) lost += 1;
  }
  return lost;
}

const rowsOf = (whole: WholeCapsule): Container[] => [whole.capsule, ...membersOf(whole)];

function unknownRow({ status, statusReason, statusDetail }: Container, reason: string) {
  return unknownStatus({ status, statusReason, statusDetail }, reason);
}

const needsALook = (row: Container): boolean => row.status !== 'Unknown' && unknownRow(row, '').status === 'Unknown';

/**
 * One that has failed says so; what is left of it on the host, if anything, is nobody's concern before its delete. One whose containers are not
 * made yet is its create's.
 */
function isToBeLost(whole: WholeCapsule): boolean {
  const { taskState, status } = whole.capsule;
  const isBeingMade = membersOf(whole).some((member) => member.status === 'Creating');
  return taskState === null && status !== 'Error' && !isBeingMade && rowsOf(whole).some(needsALook);
}
