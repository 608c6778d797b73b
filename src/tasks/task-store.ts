import type { Selectable } from 'kysely';
import type { Database, Queries } from '../db/database.ts';
import type { Schema } from '../db/schema.generated.ts';
import type { Clock } from '../telemetry/clock.ts';
import type { Ids } from '../telemetry/ids.ts';
import { fairOrder } from './fair-order.ts';
import { nextTurn } from './next-turn.ts';
import type { NewTask, Progress, Task } from './task.ts';
import { ownersOf } from './worker-owner.ts';

type TaskRow = Selectable<Schema['openkeel_task']>;

/** A worker that lost its lease (or whose task was taken over) may not write; nothing it tried was committed. */
export class LeaseLost extends Error {
  constructor(task: Task) {
    super(`task ${task.uuid} (${task.kind}) is no longer held by attempt ${task.attempt}`);
    this.name = 'LeaseLost';
  }
}

/** So long a task belongs to the worker that claimed it unless it renews; a worker that died keeps its tasks from others so long. */
export const leaseMilliseconds = 30_000;
/** A worker tries so many of those whose turn it is before it looks again. */
const claimWindow = 16;

/** The rows of `openkeel_task`. */
export class TaskStore {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #ids: Ids;
  /** The same for all workers of a database. */
  readonly leaseMilliseconds: number;

  constructor(database: Database, clock: Clock, ids: Ids, lease = leaseMilliseconds) {
    this.#database = database;
    this.#clock = clock;
    this.#ids = ids;
    this.leaseMilliseconds = lease;
  }

  /** Adds a task in the caller's transaction; it becomes claimable when that commits. */
  async enqueue(queries: Queries, task: NewTask): Promise<void> {
    const now = this.#clock.now();
    const progress: Progress = { next: 0, data: {}, failingSince: null, unwinding: null };
    await queries
      .insertInto('openkeel_task')
      .values({
        uuid: this.#ids.uuid(),
        kind: task.kind,
        subject: task.subject,
        project_id: task.projectId,
        request_id: task.requestId,
        action_id: task.actionId,
        payload: JSON.stringify(task.payload),
        progress: JSON.stringify(progress),
        state: 'queued',
        attempt: 0,
        cancelled: 0,
        claimable_at: now,
        deadline: task.deadline,
        created_at: now,
        turn: nextTurn(task.projectId),
      })
      .execute();
  }

  /** Asks the tasks that a subject still has to unwind instead of going on. */
  async cancel(queries: Queries, subject: string): Promise<void> {
    await queries.updateTable('openkeel_task').set({ cancelled: 1 }).where('subject', '=', subject).execute();
  }

  /** Whether a subject still has a task of this kind that nobody cancelled; with `after`, one that was asked for later than that task. */
  async isWanted(queries: Queries, subject: string, kind: string, after: Pick<Task, 'id'> = { id: 0 }): Promise<boolean> {
    const task = await queries
      .selectFrom('openkeel_task')
      .select('id')
      .where('subject', '=', subject)
      .where('kind', '=', kind)
      .where('cancelled', '=', 0)
      .where('id', '>', after.id)
      .executeTakeFirst();
    return task !== undefined;
  }

  /** Whether a subject has any task that has not ended. */
  async isBusy(queries: Queries, subject: string): Promise<boolean> {
    const task = await queries.selectFrom('openkeel_task').select('id').where('subject', '=', subject).limit(1).executeTakeFirst();
    return task !== undefined;
  }

  /** Takes one task whose turn it is; `null` when there is none. A row that another worker was faster on costs one more statement, no wait. */
  async claim(owner: string): Promise<Task | null> {
    for (;;) {
      const rows = await this.#claimable();
      if (rows.length === 0) return null;
      for (const row of fairOrder(rows, this.#ids)) if (await this.#take(row, owner)) return { ...fromRow(row), attempt: row.attempt + 1 };
    }
  }

  /** The first of those that may be claimed, by turn: one a subject. Whatever is queued, it ends with the last of them. */
  #claimable(): Promise<TaskRow[]> {
    return this.#database.queries
      .selectFrom('openkeel_task as task')
      .selectAll()
      .where('claimable_at', '<=', this.#clock.now())
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('openkeel_task as earlier')
              .select('earlier.id')
              .whereRef('earlier.subject', '=', 'task.subject')
              .whereRef('earlier.id', '<', 'task.id'),
          ),
        ),
      )
      .orderBy('turn')
      .orderBy('id')
      .limit(claimWindow)
      .execute();
  }

  /** Compare-and-set by the attempt that was read; `false` when another worker was faster. */
  async #take(row: TaskRow, owner: string): Promise<boolean> {
    const claimed = await this.#database.queries
      .updateTable('openkeel_task')
      .set({ state: 'running', attempt: row.attempt + 1, lease_owner: owner, claimable_at: this.#leaseEnd() })
      .where('id', '=', row.id)
      .where('attempt', '=', row.attempt)
      .executeTakeFirst();
    return claimed.numUpdatedRows === 1n;
  }

  /** Prolongs the lease. Throws `LeaseLost`. */
  async renew(task: Task): Promise<void> {
    await this.#hold(this.#database.queries, task, { claimable_at: this.#leaseEnd() });
  }

  /** Which of these ids are of tasks that were cancelled; one query by the primary key. */
  async cancelledAmong(ids: readonly number[]): Promise<number[]> {
    const rows = await this.#database.queries
      .selectFrom('openkeel_task')
      .select('id')
      .where('id', 'in', ids)
      .where('cancelled', '=', 1)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Runs a transaction that commits only while this attempt holds the task. Throws `LeaseLost`. */
  write<T>(task: Task, closure: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#database.transaction(async (transaction) => {
      await this.#hold(transaction, task, { claimable_at: this.#leaseEnd() });
      return closure(transaction);
    });
  }

  /** Records how far the saga has come, and prolongs the lease: one statement, since every step ends with it. Throws `LeaseLost`. */
  async saveProgress(task: Task, progress: Progress): Promise<void> {
    await this.#hold(this.#database.queries, task, {
      progress: JSON.stringify(progress),
      claimable_at: this.#leaseEnd(),
    });
  }

  /** Gives the task back, to be claimed again at that time or later. Throws `LeaseLost`. */
  async release(task: Task, claimableAt: number, progress: Progress): Promise<void> {
    await this.#hold(this.#database.queries, task, {
      state: 'queued',
      lease_owner: null,
      claimable_at: claimableAt,
      progress: JSON.stringify(progress),
    });
  }

  /** Ends the task, in the caller's fenced transaction. */
  async remove(queries: Queries, task: Task): Promise<void> {
    await queries.deleteFrom('openkeel_task').where('id', '=', task.id).execute();
  }

  /** Lets the tasks of a host's workers be claimed at once, by the process that knows them to be dead. */
  async endLeases(host: string): Promise<void> {
    await this.#database.queries
      .updateTable('openkeel_task')
      .set({ state: 'queued', lease_owner: null, claimable_at: this.#clock.now() })
      .where('state', '=', 'running')
      .where(({ fn, lit }) => fn('substr', ['lease_owner', lit(1), lit(ownersOf(host).length)]), '=', ownersOf(host))
      .execute();
  }

  /** Subjects with unfinished tasks: what state sync must not write over. */
  async busySubjects(): Promise<Set<string>> {
    const rows = await this.#database.queries.selectFrom('openkeel_task').select('subject').distinct().execute();
    return new Set(rows.map((row) => row.subject));
  }

  #leaseEnd(): number {
    return this.#clock.now() + this.leaseMilliseconds;
  }

  async #hold(queries: Queries, task: Task, set: Partial<TaskRow>): Promise<void> {
    const result = await queries
      .updateTable('openkeel_task')
      .set(set)
      .where('id', '=', task.id)
      // SQLite gives the id of the last task that ended to the next one.
      .where('uuid', '=', task.uuid)
      .where('attempt', '=', task.attempt)
      .executeTakeFirst();
    if (result.numUpdatedRows !== 1n) throw new LeaseLost(task);
  }
}

function fromRow(row: TaskRow): Task {
  return {
    id: row.id,
    uuid: row.uuid,
    kind: row.kind,
    subject: row.subject,
    projectId: row.project_id,
    requestId: row.request_id,
    actionId: row.action_id,
    payload: JSON.parse(row.payload),
    progress: JSON.parse(row.progress),
    attempt: row.attempt,
    cancelled: Boolean(row.cancelled),
    deadline: Number(row.deadline),
    createdAt: Number(row.created_at),
  };
}
