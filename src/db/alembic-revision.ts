import { readFileSync } from 'node:fs';
import type { Queries } from './database.ts';

const revisionsFile = new URL('../../contract/db/revisions.json', import.meta.url);

/** The revision of the original's schema that this service works on: zun 18.0.0. */
export const alembicHead = '3f2b36231bee';

/** The original's revisions, the oldest first. */
export function alembicRevisions(): string[] {
  const { chain }: { chain: { revision: string }[] } = JSON.parse(readFileSync(revisionsFile, 'utf8'));
  return chain.map(({ revision }) => revision);
}

/** The row of `alembic_version`; `null` when the table is missing or empty. */
export async function currentRevision(queries: Queries): Promise<string | null> {
  if (!(await tableNames(queries)).has('alembic_version')) return null;
  const row = await queries.selectFrom('alembic_version').select('version_num').executeTakeFirst();
  return row?.version_num ?? null;
}

/** Writes the only row of `alembic_version`. */
export async function stampRevision(queries: Queries, revision: string): Promise<void> {
  await queries.deleteFrom('alembic_version').execute();
  await queries.insertInto('alembic_version').values({ version_num: revision }).execute();
}

export async function tableNames(queries: Queries): Promise<Set<string>> {
  const tables = await queries.introspection.getTables({ withInternalKyselyTables: true });
  return new Set(tables.map((table) => table.name));
}
