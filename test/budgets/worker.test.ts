import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { defaultSettings } from '../../src/config/settings.ts';
import { BudgetBench } from './budget-bench.ts';

const poll = defaultSettings('bench').worker.pollMilliseconds;
const settled = async () => {
  for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
};

test('an idle worker takes one statement a poll, no transaction and no call', async () => {
  const bench = await BudgetBench.open();
  const worker = bench.core.startWorker('bench');
  await settled();
  const polls = 10;
  const cost = await bench.cost(async () => {
    for (let times = 0; times < polls; times += 1) {
      await bench.clock.advance(poll);
      await settled();
    }
  });
  await worker.stop(0);
  assert.deepEqual(cost, { statements: polls, transactions: 0, calls: [] });
});

/** How SQLite reads the tables of the statement that a claim begins with. */
async function planOfLook(bench: BudgetBench): Promise<string[]> {
  await bench.cost(() => bench.core.services.tasks.claim('bench'));
  const [look = ''] = bench.sql;
  const parts = look.split('?');
  const values = parts.map((part, index) => (index === 0 ? sql.raw(part) : sql`${0}${sql.raw(part)}`));
  const plan = await sql<{ detail: string }>`explain query plan ${sql.join(values, sql``)}`.execute(bench.database.queries);
  return plan.rows.map(({ detail }) => detail).filter((detail) => !detail.startsWith('CORRELATED'));
}

test('that statement goes along one index in the order of turns, looks for earlier tasks in another, and sorts nothing', async () => {
  const bench = await BudgetBench.open();
  assert.deepEqual(await planOfLook(bench), [
    'SCAN task USING INDEX openkeel_task_turn_idx',
    'SEARCH earlier USING COVERING INDEX openkeel_task_subject_idx (subject=? AND id<?)',
  ]);
});
