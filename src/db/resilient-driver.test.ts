import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { CommitUnknown } from './connection-failure.ts';
import { ResilientDriver } from './resilient-driver.ts';

/** A server of which each statement takes the next answer: an error code, or nothing for success. */
function bench(answers: (string | null)[]) {
  const sent: string[] = [];
  const discarded: DatabaseConnection[] = [];
  const answer = async (text: string) => {
    sent.push(text);
    const code = answers.shift() ?? null;
    if (code !== null) throw Object.assign(new Error(code), { code });
    return { rows: [] };
  };
  class Server extends DummyDriver {
    override async acquireConnection(): Promise<DatabaseConnection> {
      return { executeQuery: ({ sql }: CompiledQuery) => answer(sql), streamQuery: () => assert.fail('nothing streams') };
    }
    override async beginTransaction(): Promise<void> {
      await answer('begin');
    }
    override async commitTransaction(): Promise<void> {
      await answer('commit');
    }
    override async rollbackTransaction(): Promise<void> {
      await answer('rollback');
    }
  }
  const discard = async (connection: DatabaseConnection) => {
    discarded.push(connection);
  };
  const clock = { now: () => 0, monotonic: () => 0, sleep: () => Promise.resolve() };
  const kysely = new Kysely<{ t: { a: number } }>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: (): Driver => new ResilientDriver(new Server(), discard, clock),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
    },
  });
  return { kysely, sent, discarded };
}

const read = 'select "a" from "t"';
const write = 'update "t" set "a" = $1';

test('a read is sent again on another connection, the broken one is not kept', async () => {
  const { kysely, sent, discarded } = bench(['ECONNRESET', '57P01', null]);
  await kysely.selectFrom('t').select('a').execute();
  assert.deepEqual([sent, discarded.length], [[read, read, read], 2]);
});

test('a write is sent again when it was refused, not when its answer was lost', async () => {
  const refused = bench(['25006', null]);
  await refused.kysely.updateTable('t').set({ a: 1 }).execute();
  assert.deepEqual(refused.sent, [write, write]);
  const lost = bench(['ECONNRESET']);
  await assert.rejects(lost.kysely.updateTable('t').set({ a: 1 }).execute(), /ECONNRESET/);
  assert.deepEqual([lost.sent, lost.discarded.length], [[write], 1]);
});

test('a server that stays away is given up in the end', async () => {
  const { kysely, sent } = bench(Array.from({ length: 20 }, () => 'ECONNREFUSED'));
  await assert.rejects(kysely.selectFrom('t').select('a').execute(), /ECONNREFUSED/);
  assert.equal(sent.length, 6);
});

test('nothing is sent again inside a transaction, whose broken session needs no rollback', async () => {
  const { kysely, sent, discarded } = bench([null, 'ECONNRESET']);
  await assert.rejects(
    kysely.transaction().execute((transaction) => transaction.selectFrom('t').select('a').execute()),
    /ECONNRESET/,
  );
  assert.deepEqual([sent, discarded.length], [['begin', read], 1]);
});

test('a COMMIT whose answer is lost is told apart, one that is refused is not done', async () => {
  const lost = bench([null, 'ECONNRESET']);
  await assert.rejects(
    lost.kysely.transaction().execute(async () => {}),
    CommitUnknown,
  );
  const conflict = bench([null, '40001', null]);
  await assert.rejects(
    conflict.kysely.transaction().execute(async () => {}),
    /40001/,
  );
});
