import type { Queries } from '../../db/database.ts';

/** How long the reason of a failed pull can be asked for. */
const keptMilliseconds = 24 * 3600_000;

/** Notes why an image's row went, and forgets reasons that are a day old. */
export async function recordFailedPull(queries: Queries, imageUuid: string, reason: string, now: number): Promise<void> {
  await queries
    .deleteFrom('openkeel_failed_pull')
    .where('failed_at', '<', now - keptMilliseconds)
    .execute();
  await queries.insertInto('openkeel_failed_pull').values({ image_uuid: imageUuid, reason, failed_at: now }).execute();
}

export async function failedPullReason(queries: Queries, imageUuid: string): Promise<string | null> {
  const row = await queries.selectFrom('openkeel_failed_pull').select('reason').where('image_uuid', '=', imageUuid).executeTakeFirst();
  return row?.reason ?? null;
}
