import { parseArgs } from 'node:util';
import { readToolSettings } from '../config/tool-settings.ts';
import { alembicHead, alembicRevisions, currentRevision, stampRevision } from '../db/alembic-revision.ts';
import { contractTables } from '../db/contract-tables.ts';
import { createTable } from '../db/create-table.ts';
import type { Database } from '../db/database.ts';
import type { Dialect } from '../db/dialect.ts';
import { dialectFromUrl } from '../db/dialect-from-url.ts';
import { migrate, migrationsOf } from '../db/migrate.ts';
import { writeMigration } from '../db/migrations/write-migration.ts';
import { openDatabase } from '../db/open-database.ts';

const usage = `usage: zun-db-manage [--config-file FILE] [--database URL] COMMAND

  upgrade [head]        bring the database to the schema of this version
  version               show the database's revision
  stamp REVISION        write a revision without changing the schema
  revision -m MESSAGE   begin a migration (for developers)
`;

/** Where a tool's words go. */
export interface ToolOutput {
  out(line: string): void;
  error(line: string): void;
}

/** `zun-db-manage`, with the original's commands. Answers the exit status. Origin: zun/cmd/db_manage.py. */
export async function dbManage(args: string[], { out, error }: ToolOutput): Promise<number> {
  let tool: ReturnType<typeof readArguments>;
  try {
    tool = readArguments(args);
  } catch (problem) {
    error(`zun-db-manage: ${messageOf(problem)}\n${usage}`);
    return 2;
  }
  const { command, operand, message, autogenerate } = tool;
  try {
    if (command === 'revision') {
      if (autogenerate) throw new Error('migrations are written by hand: leave --autogenerate out');
      out(await writeMigration(message ?? ''));
      return 0;
    }
    const { connection } = readToolSettings(tool);
    if (connection === null)
      throw new Error(
        'no database is named: give --database URL, ZUN_DATABASE, database.url in zun.yaml, or [database]/connection in zun.conf',
      );
    const dialect = dialectFromUrl(connection);
    const database = openDatabase(dialect);
    try {
      for (const line of await run(database, dialect, command, operand)) out(line);
    } finally {
      await database.close();
    }
    return 0;
  } catch (problem) {
    error(`zun-db-manage: ${messageOf(problem)}`);
    return 1;
  }
}

async function run(database: Database, dialect: Dialect, command: string, operand: string | undefined): Promise<string[]> {
  if (command === 'upgrade') return upgrade(database, dialect, operand ?? 'head');
  if (command === 'stamp') return stamp(database, dialect, operand ?? '');
  return version(database, dialect);
}

async function upgrade(database: Database, dialect: Dialect, target: string): Promise<string[]> {
  if (revisionOf(target) !== alembicHead) throw new Error(`this version upgrades to ${alembicHead} only: leave the revision out`);
  const done = await migrate(database, dialect);
  return done.length === 0 ? ['Nothing to do.'] : done.map((name) => `Upgraded: ${name}`);
}

/** The first line is the original's. */
async function version(database: Database, dialect: Dialect): Promise<string[]> {
  const revision = await currentRevision(database.queries);
  const { done, missing } = await migrationsOf(database, dialect);
  const own = done.at(-1) ?? 'None';
  return [
    `Current DB revision is ${revision ?? 'None'}`,
    `Current own migration is ${own}${missing.length > 0 ? `, ${missing.length} to come` : ''}`,
  ];
}

async function stamp(database: Database, dialect: Dialect, target: string): Promise<string[]> {
  const revision = revisionOf(target);
  for (const [name, table] of contractTables()) {
    if (name === 'alembic_version') await createTable(database.queries as never, name, table, dialect.tables);
  }
  await database.transaction((transaction) => stampRevision(transaction, revision));
  return [];
}

function revisionOf(target: string): string {
  if (target === 'head' || target === 'heads') return alembicHead;
  const found = target === '' ? [] : alembicRevisions().filter((revision) => revision.startsWith(target));
  const [revision] = found;
  if (revision === undefined || found.length > 1) throw new Error(`Can't locate revision identified by '${target}'`);
  return revision;
}

function readArguments(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      'config-file': { type: 'string' },
      database: { type: 'string' },
      message: { type: 'string', short: 'm' },
      autogenerate: { type: 'boolean' },
    },
  });
  const [command, operand, ...rest] = positionals;
  if (command === undefined) throw new Error('a command is wanted');
  if (!['upgrade', 'version', 'stamp', 'revision'].includes(command)) throw new Error(`there is no command '${command}'`);
  if (rest.length > 0 || (operand !== undefined && command !== 'upgrade' && command !== 'stamp'))
    throw new Error(`too many words after '${command}'`);
  if (command === 'stamp' && operand === undefined) throw new Error('a revision is wanted after stamp');
  return {
    command,
    operand,
    database: values.database,
    configFile: values['config-file'],
    message: values.message,
    autogenerate: values.autogenerate,
  };
}

const messageOf = (problem: unknown) => (problem instanceof Error ? problem.message : String(problem));
