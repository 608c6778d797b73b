import { sql } from 'kysely';
import type { Queries } from '../../../src/db/database.ts';
import type { Task } from '../../../src/tasks/task.ts';

/** What a step wrote, in the order of commits of one task or subject. */
export interface HistoryRow {
  id: number;
  /** What the payload calls the task. */
  task: string;
  subject: string;
  attempt: number;
  owner: string;
  event: 'begin' | 'tick' | 'end' | 'failed';
}

/** `serial` is what the database calls an integer that it counts up. */
export async function createHistory(queries: Queries, serial: string): Promise<void> {
  await sql`create table history (
    id ${sql.raw(serial)} primary key, task varchar(36) not null, subject varchar(36) not null, attempt integer not null,
    owner varchar(64) not null, event varchar(16) not null
  )`.execute(queries);
}

export async function appendHistory(queries: Queries, task: Task, owner: string, event: HistoryRow['event']): Promise<void> {
  const { name } = task.payload as { name: string };
  await sql`insert into history (task, subject, attempt, owner, event)
    values (${name}, ${task.subject}, ${task.attempt}, ${owner}, ${event})`.execute(queries);
}

export async function readHistory(queries: Queries): Promise<HistoryRow[]> {
  return (await sql<HistoryRow>`select * from history order by id`.execute(queries)).rows;
}
