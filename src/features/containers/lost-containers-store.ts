import type { Queries } from '../../db/database.ts';
import { statusesThatNeedALook, unknownStatus } from '../../sync/last-known-status.ts';
import { databaseTime } from '../../telemetry/database-time.ts';
import { containerTypes } from './container.ts';
import { rowFromContainer } from './container-row.ts';

/**
 * Makes the containers of a host Unknown, for that reason, where their status can't be looked at any more; answers how many. What a task works on is the
 * task's. One query when there is nothing to do, and one more for each status that there is.
 */
export async function loseContainers(queries: Queries, host: string, reason: string, now: number): Promise<number> {
  const found = await queries
    .selectFrom('container')
    .select('status')
    .distinct()
    .where('host', '=', host)
    .where('container_type', '=', containerTypes.container)
    .where('status', 'in', statusesThatNeedALook)
    .where('task_state', 'is', null)
    .execute();
  let lost = 0;
  for (const status of statusesThatNeedALook.filter((each) => found.some((row) => row.status === each))) {
    const changes = unknownStatus({ status, statusReason: null, statusDetail: null }, reason);
    const { numUpdatedRows } = await queries
      .updateTable('container')
      .set({ ...rowFromContainer(changes), updated_at: databaseTime(now) })
      .where('host', '=', host)
      .where('container_type', '=', containerTypes.container)
      .where('status', '=', status)
      .where('task_state', 'is', null)
      .executeTakeFirst();
    lost += Number(numUpdatedRows);
  }
  return lost;
}
