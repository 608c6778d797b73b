import { type RawBuilder, sql } from 'kysely';

/**
 * The turn of a task that this project queues now, as an expression of the INSERT: one after the project's last, but none before those of
 * others who wait to be served for the first time. So each project gets every n-th claim where n of them wait, whatever each has queued,
 * and who has queued nothing for long has saved up nothing (start-time fair queueing).
 *
 * A union in a derived table: MariaDB lets an INSERT read its own table in no other way, and the three have no word for "the greater of
 * two" in common. Two that are queued at once may get one turn; the id decides then.
 */
export function nextTurn(projectId: string): RawBuilder<number> {
  return sql<number>`(
    select max(turns.turn) from (
      select coalesce(
        (select turn from openkeel_task where attempt = 0 order by turn, id limit 1),
        (select max(turn) from openkeel_task),
        0
      ) as turn
      union all
      select coalesce(max(turn) + 1, 0) as turn from openkeel_task where project_id = ${projectId}
    ) as turns
  )`;
}
