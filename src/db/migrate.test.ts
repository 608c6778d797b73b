import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompiledQuery, sql } from 'kysely';
import { contractTables } from './contract-tables.ts';
import { sqlite } from './dialect.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { ownTables } from './own-tables.ts';

test('an empty database gets every table and column of the original and the own ones', async () => {
  const dialect = sqlite(':memory:');
  const database = openDatabase(dialect);
  await migrate(database, dialect);
  const tables = new Map(
    (await database.queries.introspection.getTables()).map((table) => [table.name, table.columns.map((column) => column.name)]),
  );
  for (const [name, table] of [...contractTables(), ...Object.entries(ownTables)]) {
    assert.deepEqual(
      tables.get(name),
      table.columns.map((column) => column.name),
      name,
    );
  }
  await database.close();
});

test('migrating twice changes nothing', async () => {
  const dialect = sqlite(':memory:');
  const database = openDatabase(dialect);
  await migrate(database, dialect);
  await migrate(database, dialect);
  await database.close();
});

test('a queue that was made before it had turns gets them, and what was queued goes first', async () => {
  const dialect = sqlite(':memory:');
  const database = openDatabase(dialect);
  await migrate(database, dialect);
  for (const statement of [
    'drop index openkeel_task_turn_idx',
    'drop index openkeel_task_project_idx',
    'alter table openkeel_task drop column turn',
    "delete from openkeel_migration where name >= '0004'",
    `insert into openkeel_task (uuid, kind, subject, project_id, payload, progress, state, attempt, cancelled, claimable_at, deadline, created_at)
     values ('u', 'k', 's', 'p', '{}', '{}', 'queued', 0, 0, 0, 0, 0)`,
  ]) {
    await database.queries.executeQuery(CompiledQuery.raw(statement));
  }
  assert.equal((await migrate(database, dialect))[0], '0004-turns-of-tasks');
  const queued = await database.queries.selectFrom('openkeel_task').select(['uuid', 'turn']).executeTakeFirst();
  assert.deepEqual([queued?.uuid, queued?.turn], ['u', 0]);
  const indexes = await sql<{ name: string }>`select name from sqlite_master where tbl_name = 'openkeel_task' and type = 'index'`.execute(
    database.queries,
  );
  for (const { name } of ownTables.openkeel_task?.indexes ?? [])
    assert.ok(
      indexes.rows.some((index) => index.name === name),
      name,
    );
  await database.close();
});

test('a database of the version that remembered nodes in its process gets the table for them', async () => {
  const dialect = sqlite(':memory:');
  const database = openDatabase(dialect);
  await migrate(database, dialect);
  for (const statement of ['drop table openkeel_local_node', "delete from openkeel_migration where name >= '0005'"])
    await database.queries.executeQuery(CompiledQuery.raw(statement));
  assert.equal((await migrate(database, dialect))[0], '0005-local-nodes');
  assert.deepEqual(await database.queries.selectFrom('openkeel_local_node').selectAll().execute(), []);
  await database.close();
});
