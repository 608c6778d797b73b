import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns } from './turns.ts';

/** Works that go on until the test ends them. */
function setUp(atOnce: number) {
  const turns = new Turns(atOnce);
  const under: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const begin = (name: string, signal?: AbortSignal) =>
    turns.run(() => {
      under.push(name);
      const end = Promise.withResolvers<string>();
      ends.set(name, end);
      return end.promise.finally(() => under.splice(under.indexOf(name), 1));
    }, signal);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { under, ends, begin, settled };
}

test('so many run at a time, who came first goes first, and a failure passes the turn on', async () => {
  const { under, ends, begin, settled } = setUp(2);
  const works = ['a', 'b', 'c', 'd'].map((name) => begin(name));
  await settled();
  assert.deepEqual(under, ['a', 'b']);
  ends.get('b')?.reject(new Error('b failed'));
  await assert.rejects(works[1] as Promise<string>, /b failed/);
  await settled();
  assert.deepEqual(under, ['a', 'c']);
  ends.get('a')?.resolve('done');
  assert.equal(await works[0], 'done');
  await settled();
  assert.deepEqual(under, ['c', 'd']);
  for (const name of ['c', 'd']) ends.get(name)?.resolve(name);
  assert.deepEqual(await Promise.all(works.slice(2)), ['c', 'd']);
  const after = [begin('e'), begin('f'), begin('g')];
  await settled();
  assert.deepEqual(under, ['e', 'f'], 'all turns are there again');
  for (const name of ['e', 'f']) ends.get(name)?.resolve(name);
  await settled();
  ends.get('g')?.resolve('g');
  await Promise.all(after);
});

test('who gives up while waiting is never begun, and holds nobody up', async () => {
  const { under, ends, begin, settled } = setUp(1);
  const first = begin('first');
  const giving = new AbortController();
  const given = begin('given up', giving.signal);
  const last = begin('last');
  giving.abort(new Error('no longer wanted'));
  await assert.rejects(given, /no longer wanted/);
  await assert.rejects(begin('too late', giving.signal), /no longer wanted/);
  ends.get('first')?.resolve('first');
  await first;
  await settled();
  assert.deepEqual(under, ['last']);
  ends.get('last')?.resolve('last');
  await last;
});

test('who has just been called keeps the turn and passes it on, though its signal aborts in that moment', async () => {
  const { under, ends, begin, settled } = setUp(1);
  const first = begin('first');
  const giving = new AbortController();
  const second = begin('second', giving.signal);
  const third = begin('third');
  await settled();
  ends.get('first')?.resolve('first');
  await first;
  giving.abort(new Error('no longer wanted'));
  await settled();
  assert.deepEqual(under, ['second']);
  ends.get('second')?.resolve('second');
  assert.equal(await second, 'second');
  await settled();
  ends.get('third')?.resolve('third');
  await third;
});
