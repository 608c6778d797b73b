import type { Queries } from '../db/database.ts';
import { insertReturningId } from '../db/insert-returning-id.ts';
import type { Clock } from '../telemetry/clock.ts';
import { databaseTime } from '../telemetry/database-time.ts';

export interface NewAction {
  /** `create`, `start`, … as `container_actions.action`. */
  action: string;
  /** `compute__do_container_start`: the original's name of its event, the first where it has several. */
  event: string;
  containerUuid: string;
  requestId: string;
  userId: string;
  projectId: string;
}

/** The rows of `container_actions` and `container_actions_events` that tasks open and close. */
export class ActionLog {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Opens an action with its event and answers the action's id. */
  async start(queries: Queries, action: NewAction): Promise<number> {
    const now = databaseTime(this.#clock.now());
    const id = await insertReturningId(queries, 'container_actions', {
      action: action.action,
      container_uuid: action.containerUuid,
      request_id: action.requestId,
      user_id: action.userId,
      project_id: action.projectId,
      start_time: now,
      created_at: now,
    });
    await queries
      .insertInto('container_actions_events')
      .values({ event: action.event, action_id: id, start_time: now, created_at: now })
      .execute();
    return id;
  }

  /**
   * Opens a further event of an action whose work has several parts, once: a create that also starts. `before` is what becomes of
   * those that are open: `ends`, they succeeded; `goes on`, they end with the action.
   */
  async next(queries: Queries, actionId: number, event: string, before: 'ends' | 'goes on'): Promise<void> {
    const now = databaseTime(this.#clock.now());
    const open = queries.selectFrom('container_actions_events').select('id').where('action_id', '=', actionId).where('event', '=', event);
    if (await open.executeTakeFirst()) return;
    if (before === 'ends') {
      await queries
        .updateTable('container_actions_events')
        .set({ finish_time: now, result: 'Success', updated_at: now })
        .where('action_id', '=', actionId)
        .where('finish_time', 'is', null)
        .execute();
    }
    await queries.insertInto('container_actions_events').values({ event, action_id: actionId, start_time: now, created_at: now }).execute();
  }

  /** Closes action and event, once: what is closed stays as it is. `failure` is the reason, `null` means success. */
  async finish(queries: Queries, actionId: number, failure: string | null): Promise<void> {
    const now = databaseTime(this.#clock.now());
    await queries
      .updateTable('container_actions')
      .set({ finish_time: now, message: failure === null ? null : 'Error', updated_at: now })
      .where('id', '=', actionId)
      .where('finish_time', 'is', null)
      .execute();
    await queries
      .updateTable('container_actions_events')
      .set({ finish_time: now, result: failure === null ? 'Success' : 'Error', traceback: failure, updated_at: now })
      .where('action_id', '=', actionId)
      .where('finish_time', 'is', null)
      .execute();
  }
}
