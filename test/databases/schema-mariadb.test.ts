import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { contractTables } from '../../src/db/contract-tables.ts';
import type { Database } from '../../src/db/database.ts';
import { ownIndexes } from '../../src/db/own-indexes.ts';
import { testServer } from './servers/test-server.ts';
import { rowsOf, serverSource } from './test-database.ts';

describe('the schema on an empty MariaDB', () => {
  let database: Database;
  let release: () => Promise<void>;

  before(async () => {
    const shared = await testServer('mariadb');
    const opened = await serverSource(shared.server).open();
    database = opened;
    release = async () => {
      await opened.close();
      await shared.release();
    };
  });
  after(() => release());

  for (const [name] of contractTables()) {
    test(`${name} is that of the original's migrations, to the column, index and default`, async () => {
      const [row] = await rowsOf<Record<string, string>>(database, `show create table ${name}`);
      const ours = definition(row?.['Create Table'] ?? '');
      for (const index of ownIndexes.filter(({ table }) => table === name)) {
        const line = `  KEY \`${index.name}\` (${index.columns.map((column) => `\`${column}\``).join(',')})`;
        assert.ok(ours.keys.delete(line), `${line} is not in\n${[...ours.keys].join('\n')}`);
      }
      assert.deepEqual(ours, definition(recorded(name)));
    });
  }

  test('the original finds its revision', async () => {
    assert.deepEqual(await rowsOf(database, 'select * from alembic_version'), [{ version_num: '3f2b36231bee' }]);
  });
});

/** Columns in their order; keys and constraints in any; the options of the table without its counter. */
function definition(statement: string) {
  const lines = statement.split('\n').map((line) => line.replace(/,$/, ''));
  const isKey = (line: string) => /^ {2}(PRIMARY |UNIQUE )?KEY|^ {2}CONSTRAINT/.test(line);
  return {
    columns: lines.filter((line) => line.startsWith('  ') && !isKey(line)),
    keys: new Set(lines.filter(isKey)),
    options: lines.at(-1)?.replace(/ AUTO_INCREMENT=\d+/, ''),
  };
}

/** What the original's `zun-db-manage upgrade` made on an empty MariaDB 10.11. */
function recorded(table: string): string {
  const dump = readFileSync(new URL('../../contract/db/schema-mariadb.sql', import.meta.url), 'utf8');
  const begin = dump.indexOf(`CREATE TABLE \`${table}\` (`);
  return dump.slice(begin, dump.indexOf(';\n', begin));
}
