import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { ManualClock, memoryDatabase } from '../../test/bench/task-bench.ts';
import type { Database } from '../db/database.ts';
import { randomIds } from '../telemetry/ids.ts';
import { TaskStore } from './task-store.ts';

interface Statements {
  looks: number;
  tries: number;
}

/** The same database, its statements counted, with something that happens between each one's end and what is made of its rows. */
function withRival(database: Database, statements: Statements, rival: (rows: Record<string, unknown>[]) => Promise<void>): Database {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      statements[node.kind === 'SelectQueryNode' ? 'looks' : 'tries'] += 1;
      return node;
    },
    async transformResult({ result }) {
      await rival(result.rows);
      return result;
    },
  };
  return { ...database, queries: database.queries.withPlugin(plugin) };
}

/** A worker that reads `tasks` claimable tasks, of which others then take the first so many each time it has looked. */
async function contended(tasks: number, stolen: number[]) {
  const [database, clock] = [await memoryDatabase(), new ManualClock()];
  const rival = new TaskStore(database, clock, randomIds);
  for (let index = 0; index < tasks; index += 1) {
    await rival.enqueue(database.queries, {
      kind: 'test',
      subject: `subject-${index}`,
      projectId: 'p',
      requestId: null,
      actionId: null,
      payload: {},
      deadline: clock.now() + 60_000,
    });
  }
  const statements: Statements = { looks: 0, tries: 0 };
  const watched = withRival(database, statements, async (rows) => {
    for (const { id } of rows.slice(0, stolen[statements.looks - 1] ?? 0)) {
      await database.queries
        .updateTable('openkeel_task')
        .set((column) => ({ attempt: column('attempt', '+', 1), claimable_at: clock.now() + 30_000 }))
        .where('id', '=', Number(id))
        .execute();
    }
  });
  const store = new TaskStore(watched, clock, { ...randomIds, below: () => 0 });
  return { store, statements };
}

test('who loses a claim tries the next of what it saw: a statement more for each, and no look', async () => {
  const { store, statements } = await contended(5, [3]);
  assert.equal((await store.claim('w'))?.subject, 'subject-3');
  assert.deepEqual(statements, { looks: 1, tries: 4 });
});

test('who loses all that it saw looks again at once', async () => {
  const { store, statements } = await contended(20, [16, 1]);
  assert.equal((await store.claim('w'))?.subject, 'subject-17');
  assert.deepEqual(statements, { looks: 2, tries: 18 });
});

test('who loses the last there was has nothing to do', async () => {
  const { store, statements } = await contended(1, [1]);
  assert.equal(await store.claim('w'), null);
  assert.deepEqual(statements, { looks: 2, tries: 1 });
});
