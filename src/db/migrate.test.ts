import assert from 'node:assert/strict';
import { test } from 'node:test';
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
