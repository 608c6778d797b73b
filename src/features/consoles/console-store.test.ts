import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryDatabase } from '../../../test/contract/memory-database.ts';
import { consoleSizes, forgetConsole, keepConsoles, promiseConsole, resizeConsoles, takeConsole } from './console-store.ts';

const exec = { kind: 'exec', command: ['ls', '-l'], interactive: false } as const;

/** A database with consoles `a` and `b` (attach) of container `one` and `c` (exec) of container `two`, promised at 0 until 1000. */
async function promised() {
  const { queries } = await memoryDatabase();
  const promise = (id: string, containerUuid: string, target: { kind: 'attach' } | typeof exec) =>
    promiseConsole(queries, { id, containerUuid, target }, { token: `token-${id}`, now: 0, until: 1000 });
  await promise('a', 'one', { kind: 'attach' });
  await promise('b', 'one', { kind: 'attach' });
  await promise('c', 'two', exec);
  const ids = async () => (await queries.selectFrom('openkeel_console').select('id').orderBy('id').execute()).map(({ id }) => id).join('');
  return { queries, ids };
}

test('what was promised is taken once, with all that it was promised as', async () => {
  const { queries } = await promised();
  const wish = { token: 'token-c', containerUuid: 'two', execId: 'c' };
  assert.deepEqual(await takeConsole(queries, wish, { now: 999, until: 5000 }), { id: 'c', containerUuid: 'two', target: exec });
  assert.equal(await takeConsole(queries, wish, { now: 999, until: 5000 }), null);
  assert.equal(await takeConsole(queries, { token: 'token-a', containerUuid: 'one', execId: null }, { now: 1000, until: 5000 }), null);
});

test('the database holds no token', async () => {
  const { queries } = await promised();
  assert.ok(!JSON.stringify(await queries.selectFrom('openkeel_console').selectAll().execute()).includes('token-'));
});

test('sizes are told of those that were asked for, and of no others', async () => {
  const { queries } = await promised();
  assert.deepEqual(await consoleSizes(queries, ['a', 'b', 'c']), new Map());
  assert.deepEqual(await consoleSizes(queries, []), new Map());
  assert.equal(await resizeConsoles(queries, { containerUuid: 'one', execId: null }, { width: 80, height: 24 }, 0), true);
  assert.equal(await resizeConsoles(queries, { containerUuid: 'two', execId: 'c' }, { width: 90, height: 30 }, 0), true);
  assert.equal(await resizeConsoles(queries, { containerUuid: 'two', execId: null }, { width: 1, height: 1 }, 0), false);
  assert.equal(
    await resizeConsoles(queries, { containerUuid: 'two', execId: 'c' }, { width: 1, height: 1 }, 1000),
    false,
    'its time is over',
  );
  assert.deepEqual(
    await consoleSizes(queries, ['b', 'c', 'unknown']),
    new Map([
      ['b', { width: 80, height: 24 }],
      ['c', { width: 90, height: 30 }],
    ]),
  );
});

test('those that are kept outlive those that are not, and what is forgotten is gone', async () => {
  const { queries, ids } = await promised();
  await keepConsoles(queries, ['a', 'c', 'unknown'], 9000);
  await keepConsoles(queries, [], 9000);
  await promiseConsole(queries, { id: 'd', containerUuid: 'one', target: { kind: 'attach' } }, { token: 'd', now: 5000, until: 6000 });
  assert.equal(await ids(), 'acd');
  await forgetConsole(queries, 'a');
  assert.equal(await ids(), 'cd');
});
