import type { Selectable } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { Schema } from '../../db/schema.generated.ts';

export type ActionRow = Selectable<Schema['container_actions']>;
export type ActionEventRow = Selectable<Schema['container_actions_events']>;

/** A container's actions, the newest first. Origin: zun/db/sqlalchemy/api.py (actions_get). */
export function actionsOfContainer(queries: Queries, containerUuid: string): Promise<ActionRow[]> {
  return queries
    .selectFrom('container_actions')
    .selectAll()
    .where('container_uuid', '=', containerUuid)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** The action that a request started; `null` when it started none on this container. */
export async function actionOfRequest(queries: Queries, containerUuid: string, requestId: string): Promise<ActionRow | null> {
  const row = await queries
    .selectFrom('container_actions')
    .selectAll()
    .where('container_uuid', '=', containerUuid)
    .where('request_id', '=', requestId)
    .orderBy('id')
    .executeTakeFirst();
  return row ?? null;
}

/** What happened in an action, the newest first. */
export function eventsOfAction(queries: Queries, actionId: number): Promise<ActionEventRow[]> {
  return queries
    .selectFrom('container_actions_events')
    .selectAll()
    .where('action_id', '=', actionId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}
