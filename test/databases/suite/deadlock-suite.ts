import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { isConflict } from '../../../src/db/transaction-conflict.ts';
import { insertContainer, updateContainer } from '../../../src/features/containers/container-store.ts';
import type { DatabaseSource, TestDatabase } from '../test-database.ts';
import { numberedUuid, sampleContainer } from './sample-container.ts';

const [one, two] = [numberedUuid(1), numberedUuid(2)];

/** Conflicts that two connections bring about for real. */
export function deadlockSuite(source: DatabaseSource): void {
  let database: TestDatabase;
  before(async () => {
    database = await source.open();
    for (const uuid of [one, two]) await insertContainer(database.queries, sampleContainer({ uuid, statusReason: '' }));
  });
  after(() => database.close());

  // PostgreSQL wants to know the type of a parameter of concat().
  const letterOf = (letter: string) => (source.kind === 'postgresql' ? sql`${letter}::text` : sql`${letter}`);
  const append = (queries: TestDatabase['queries'], uuid: string, letter: string) =>
    queries
      .updateTable('container')
      .set({ status_reason: sql<string>`concat(status_reason, ${letterOf(letter)})` })
      .where('uuid', '=', uuid)
      .execute();
  const reasons = async () =>
    (await database.queries.selectFrom('container').select('status_reason').orderBy('id').execute()).map((row) => row.status_reason);

  test('of two transactions that lock each other out both happen, whole and once, the loser by running again', async () => {
    let runs = 0;
    const bothHoldOne = meeting(2);
    const across = (first: string, second: string, letter: string) =>
      database.transaction(async (transaction) => {
        runs += 1;
        await append(transaction, first, letter);
        await bothHoldOne();
        await append(transaction, second, letter);
      });
    await Promise.all([across(one, two, 'a'), across(two, one, 'b')]);
    assert.ok(runs >= 3, `${runs} runs`);
    assert.deepEqual(
      (await reasons()).map((reason) => [...(reason ?? '')].sort().join('')),
      ['ab', 'ab'],
    );
  });

  test('a row that another transaction holds is waited for, and its value is the one committed', async () => {
    await updateContainer(database.queries, one, { statusReason: '' }, 0);
    const letters = 'abcdefghijklmnop';
    await Promise.all([...letters].map((letter) => database.transaction((transaction) => append(transaction, one, letter))));
    const [reason] = await reasons();
    assert.equal([...(reason ?? '')].sort().join(''), letters);
  });

  test('what the closure itself throws is not run again', async () => {
    let runs = 0;
    const failing = database.transaction(async (transaction) => {
      runs += 1;
      await updateContainer(transaction, one, { name: 'changed' }, 0);
      throw new Error('no');
    });
    await assert.rejects(failing, (error) => error instanceof Error && error.message === 'no' && !isConflict(error));
    assert.equal(runs, 1);
    const row = await database.queries.selectFrom('container').select('name').where('uuid', '=', one).executeTakeFirst();
    assert.equal(row?.name, 'web');
  });
}

/** Resolves for the first so many callers when the last of them has come; for later ones at once. */
function meeting(count: number): () => Promise<void> {
  let come = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  return () => {
    come += 1;
    if (come >= count) resolve();
    return promise;
  };
}
