import assert from 'node:assert/strict';
import { test } from 'node:test';
import { giveBackLease, type Lease, readLease, renewalsOf, renewLease, takeLease } from '../../../src/sync/lease-store.ts';
import type { DatabaseSource } from '../test-database.ts';

const takers = 8;
const durationMs = 30_000;

/** What a lease promises, on any database. */
export function leaseSuite(source: DatabaseSource): void {
  const take = (database: Awaited<ReturnType<DatabaseSource['open']>>, seen: Lease | null, holder: string) =>
    takeLease(database.queries, seen, { name: 'sync', holder, durationMs }, 1_772_366_400_000);

  test(`of ${takers} that take it at once one has it, whether it is new or was seen with the same holder`, async () => {
    const database = await source.open();
    let seen: Lease | null = null;
    for (let round = 1; round <= 5; round += 1) {
      const held = await Promise.all(Array.from({ length: takers }, (_unused, index) => take(database, seen, `${round}-${index}`)));
      const [winner, ...others] = held.filter((lease) => lease !== null);
      assert.ok(winner);
      assert.deepEqual(others, []);
      seen = await readLease(database.queries, 'sync');
      assert.deepEqual(seen, winner);
      assert.equal(winner.term, round);
    }
    await database.close();
  });

  test('a renewal is seen, is only the holder’s, and no lease that was renewed meanwhile can be taken', async () => {
    const database = await source.open();
    const held = await take(database, null, 'one');
    assert.ok(held);
    assert.equal(await renewLease(database.queries, held, 1), true);
    assert.equal(await take(database, held, 'two'), null);
    const seen = await readLease(database.queries, 'sync');
    assert.deepEqual([seen?.holder, seen?.renewals], ['one', held.renewals + 1]);
    const taken = await take(database, seen, 'one');
    assert.ok(taken, 'a process of the same name, started again');
    assert.equal(await renewLease(database.queries, held, 2), false, 'the one before it has it no more');
    await giveBackLease(database.queries, held, 3);
    assert.equal((await readLease(database.queries, 'sync'))?.holder, 'one');
    await giveBackLease(database.queries, taken, 4);
    assert.equal((await readLease(database.queries, 'sync'))?.holder, null);
    await database.close();
  });

  test('renewals of leases that begin alike are counted by the rest of their names', async () => {
    const database = await source.open();
    for (const name of ['sync:node1', 'sync:node2', 'hosts'])
      await takeLease(database.queries, null, { name, holder: 'one', durationMs }, 1_772_366_400_000);
    assert.deepEqual(
      await renewalsOf(database.queries, 'sync:'),
      new Map([
        ['node1', 1],
        ['node2', 1],
      ]),
    );
    await database.close();
  });
}
