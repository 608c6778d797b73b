import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqlite } from '../../../src/db/dialect.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { openDatabase } from '../../../src/db/open-database.ts';
import { ContainerBench } from '../../bench/container-bench.ts';
import { ConflictInjection, injectingDialect } from '../injecting-dialect.ts';
import { dialectOf } from '../servers/database-server.ts';
import type { DatabaseSource } from '../test-database.ts';
import { capsuleLife, containerLife, type Moment } from './lives.ts';

/** How each database says that another transaction was in the way. */
const conflicts = {
  mariadb: () => Object.assign(new Error('Deadlock found when trying to get lock'), { errno: 1213, code: 'ER_LOCK_DEADLOCK' }),
  postgresql: () => Object.assign(new Error('could not serialize access'), { code: '40001' }),
  sqlite: () => Object.assign(new Error('database is locked'), { errcode: 5 }),
};

/** A conflict at any statement of any transaction changes nothing of what happens. */
export function conflictSuite(source: DatabaseSource): void {
  for (const [name, life] of Object.entries({ container: containerLife, capsule: capsuleLife })) {
    test(`a ${name} lives the same life whichever statement of a transaction meets a conflict`, async (context) => {
      const { injection, database } = await injected(source);
      context.after(() => database.close());
      const bench = await ContainerBench.open(undefined, database);
      const live = async (at: number): Promise<Moment[]> => {
        injection.reset(at);
        const moments = await life(bench);
        // Images are kept when their container goes.
        await database.queries.deleteFrom('image').execute();
        return moments;
      };
      const undisturbed = await live(0);
      const statements = injection.seen;
      assert.ok(statements > 10);
      assert.deepEqual(await live(0), undisturbed);
      for (let at = 1; at <= statements; at += 1) assert.deepEqual(await live(at), undisturbed, `a conflict at statement ${at}`);
      context.diagnostic(`${source.kind}: ${statements} statements in transactions`);
    });
  }
}

async function injected(source: DatabaseSource) {
  const injection = new ConflictInjection(conflicts[source.kind]);
  const opened = await source.open();
  const own = source.server ? dialectOf(source.server, opened.name) : sqlite(':memory:');
  const dialect = { ...own, kysely: injectingDialect(own.kysely, injection) };
  const database = openDatabase(dialect);
  await migrate(database, dialect);
  return {
    injection,
    database: {
      ...database,
      async close() {
        await database.close();
        await opened.close();
      },
    },
  };
}
