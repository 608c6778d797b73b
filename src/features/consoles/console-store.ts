import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { Schema } from '../../db/schema.generated.ts';
import type { ConsoleTarget, TerminalSize } from '../../runtime/console.ts';

/** A console that was promised to somebody. */
export interface PromisedConsole {
  /** Of an exec what clients know it by. */
  id: string;
  containerUuid: string;
  target: ConsoleTarget;
}

/** Promises a console to whoever has the token, until then (epoch milliseconds), and forgets those whose time is over. Two statements. */
export async function promiseConsole(
  queries: Queries,
  { id, containerUuid, target }: PromisedConsole,
  { token, now, until }: { token: string; now: number; until: number },
): Promise<void> {
  await queries.deleteFrom('openkeel_console').where('expires_at', '<', now).execute();
  const exec = target.kind === 'exec' ? target : null;
  await queries
    .insertInto('openkeel_console')
    .values({
      id,
      container_uuid: containerUuid,
      kind: target.kind,
      command: exec && JSON.stringify(exec.command),
      interactive: exec?.interactive === false ? 0 : 1,
      token_hash: hashOf(token),
      expires_at: until,
    })
    .execute();
}

/**
 * The console that a token is good for: of that container and, for an exec, with that id. A token opens one console once, so `null` is
 * for a second time as well.
 */
export async function takeConsole(
  queries: Queries,
  { token, containerUuid, execId }: { token: string; containerUuid: string; execId: string | null },
  { now, until }: { now: number; until: number },
): Promise<PromisedConsole | null> {
  const row = await queries
    .selectFrom('openkeel_console')
    .selectAll()
    .where('container_uuid', '=', containerUuid)
    .where('token_hash', '=', hashOf(token))
    .where('kind', '=', execId === null ? 'attach' : 'exec')
    .where('opened_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!row || (execId !== null && row.id !== execId)) return null;
  const { numUpdatedRows } = await queries
    .updateTable('openkeel_console')
    .set({ opened_at: now, expires_at: until })
    .where('id', '=', row.id)
    .where('opened_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n ? { id: row.id, containerUuid, target: targetOf(row) } : null;
}

/** Keeps open consoles from being forgotten until then; those that already are stay so. */
export async function keepConsoles(queries: Queries, ids: readonly string[], until: number): Promise<void> {
  if (ids.length === 0) return;
  await queries.updateTable('openkeel_console').set({ expires_at: until }).where('id', 'in', ids).execute();
}

/** The size that was last asked for; `null` = none was. */
export async function consoleSize(queries: Queries, id: string): Promise<TerminalSize | null> {
  const row = await queries.selectFrom('openkeel_console').select(['width', 'height']).where('id', '=', id).executeTakeFirst();
  return row?.width && row.height ? { width: row.width, height: row.height } : null;
}

/** As above, by id of all of them for which one was asked for, in one query. */
export async function consoleSizes(queries: Queries, ids: readonly string[]): Promise<Map<string, TerminalSize>> {
  if (ids.length === 0) return new Map();
  const rows = await queries
    .selectFrom('openkeel_console')
    .select(['id', 'width', 'height'])
    .where('id', 'in', ids)
    .where('width', 'is not', null)
    .execute();
  return new Map(rows.flatMap(({ id, width, height }) => (width && height ? [[id, { width, height }] as const] : [])));
}

/** Asks for a size: of an exec's terminal, or of all that are attached to a container. Answers whether there is any. */
export async function resizeConsoles(
  queries: Queries,
  which: { containerUuid: string; execId: string | null },
  { width, height }: TerminalSize,
  now: number,
): Promise<boolean> {
  const all = queries
    .updateTable('openkeel_console')
    .set({ width, height })
    .where('container_uuid', '=', which.containerUuid)
    .where('expires_at', '>', now);
  const { numUpdatedRows } = await (which.execId === null
    ? all.where('kind', '=', 'attach')
    : all.where('kind', '=', 'exec').where('id', '=', which.execId)
  ).executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** It is over, or nobody can come for it any more. */
export async function forgetConsole(queries: Queries, id: string): Promise<void> {
  await queries.deleteFrom('openkeel_console').where('id', '=', id).execute();
}

/** A token is as good as its owner's right to the container, so what a database holds is no token. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

function targetOf({ kind, command, interactive }: Selectable<Schema['openkeel_console']>): ConsoleTarget {
  if (kind === 'attach') return { kind };
  return { kind: 'exec', command: JSON.parse(command ?? '[]'), interactive: interactive !== 0 };
}
