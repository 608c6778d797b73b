import { alembicHead, alembicRevisions, currentRevision, tableNames } from './alembic-revision.ts';
import { contractTables } from './contract-tables.ts';
import type { Database } from './database.ts';

/** `openkeel_migration` is there as soon as the first migration begins. */
export const migrationTable = 'openkeel_migration';

/** What a database holds before it is upgraded. */
export type SchemaState =
  /** No table of Zun. */
  | { kind: 'empty' }
  /** Made or adopted by this service, perhaps by an older version of it, perhaps interrupted. */
  | { kind: 'own'; revision: string | null }
  /** Made by the original, at the revision this service works on. */
  | { kind: 'original' }
  /** Cannot be used as it is; `reason` says why and what to run first. */
  | { kind: 'unusable'; reason: string };

/** Looks at a database without changing it. */
export async function schemaState(database: Database): Promise<SchemaState> {
  const tables = await tableNames(database.queries);
  const revision = await currentRevision(database.queries);
  const reason = revision === null ? null : unusableRevision(revision);
  if (reason !== null) return { kind: 'unusable', reason };
  if (tables.has(migrationTable)) return { kind: 'own', revision };
  if (revision !== null) {
    const missing = contractTables().flatMap(([name]) => (tables.has(name) ? [] : [name]));
    if (missing.length === 0) return { kind: 'original' };
    return { kind: 'unusable', reason: `alembic_version says ${revision}, but these tables are missing: ${missing.join(', ')}.` };
  }
  const found = contractTables().flatMap(([name]) => (tables.has(name) && name !== 'alembic_version' ? [name] : []));
  if (found.length === 0) return { kind: 'empty' };
  return {
    kind: 'unusable',
    reason:
      `There are tables of Zun (${found.slice(0, 3).join(', ')}, …) without a revision in alembic_version. If they are those of ` +
      "zun 18.0.0, run 'zun-db-manage stamp head' of the original first; if not, its 'zun-db-manage upgrade'.",
  };
}

function unusableRevision(revision: string): string | null {
  if (revision === alembicHead) return null;
  if (alembicRevisions().includes(revision)) {
    return (
      `The database is at alembic revision ${revision}, older than ${alembicHead} (zun 18.0.0). ` +
      "Run 'zun-db-manage upgrade' of zun 18.0.0 (pip install zun==18.0.0) on it first."
    );
  }
  return `The database is at alembic revision ${revision}, which zun 18.0.0 does not know: a newer Zun has changed it.`;
}
