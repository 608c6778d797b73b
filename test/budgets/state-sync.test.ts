import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BudgetBench } from './budget-bench.ts';

const names = ['first', 'second', 'third', 'fourth'];
const writes = (sql: string[]) => sql.filter((text) => /^(insert|update|delete)/i.test(text));

async function setUp() {
  const bench = await BudgetBench.open();
  const uuids: string[] = [];
  for (const name of names) uuids.push(await bench.container(name));
  return { bench, uuids };
}

async function statusOf(bench: BudgetBench, uuid: string): Promise<string | null> {
  const { queries } = bench.database;
  const row = await queries.selectFrom('container').select('status').where('uuid', '=', uuid).executeTakeFirstOrThrow();
  return row.status;
}

/** Looks until it is so; a minute at most. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const signal = AbortSignal.timeout(60_000); !(await condition()); await new Promise((resolve) => setImmediate(resolve)))
    if (signal.aborted) assert.fail('it did not come to that');
}

test('a listing that finds rows true reads the containers and the capsules once, and writes nothing', async () => {
  const { bench } = await setUp();
  const cost = await bench.cost(async () => {
    const sync = bench.core.startSync();
    await sync.firstListing;
    await sync.stop();
  });
  assert.deepEqual(writes(bench.sql), []);
  const [listing, ...others] = cost.calls.filter((call) => call !== 'runtime.events');
  assert.deepEqual([listing, others], ['runtime.list', []]);
  assert.equal(cost.statements, 3, bench.sql.join('\n'));
  assert.equal(cost.transactions, 0);
});

test('of four containers the one that ended is written, once, and the others not at all', async () => {
  const { bench, uuids } = await setUp();
  const [ended = ''] = uuids;
  await bench.runtime.kill(ended, 'SIGKILL');
  const cost = await bench.cost(async () => {
    const sync = bench.core.startSync();
    await sync.firstListing;
    await until(async () => (await statusOf(bench, ended)) === 'Stopped');
    await sync.stop();
  });
  assert.deepEqual(
    writes(bench.sql).map((text) => text.split(' ').slice(0, 2).join(' ')),
    ['update "container"'],
  );
  assert.equal(cost.transactions, 1);
  assert.deepEqual(
    cost.calls.filter((call) => call !== 'runtime.events'),
    ['runtime.inspect', 'runtime.list'],
  );
});

test('an event of a container whose row is true already writes nothing', async () => {
  const { bench, uuids } = await setUp();
  const [uuid = ''] = uuids;
  const sync = bench.core.startSync();
  await sync.firstListing;
  let compared = false;
  await bench.cost(async () => {
    sync.touch(uuid);
    await until(async () => {
      compared ||= bench.sql.some((text) => text === 'commit');
      return compared;
    });
  });
  await sync.stop();
  assert.deepEqual(writes(bench.sql), []);
});
