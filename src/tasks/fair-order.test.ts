import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fairOrder } from './fair-order.ts';

const rows = (...projects: string[]) => projects.map((project_id, id) => ({ project_id, id }));

test('each row is tried once, whatever the lots', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 16 }), fc.infiniteStream(fc.nat()), (projects, lots) => {
      const waiting = rows(...projects);
      const order = fairOrder(waiting, { below: (bound) => Number(lots.next().value) % bound });
      assert.deepEqual(new Set(order), new Set(waiting));
      assert.equal(order.length, waiting.length);
    }),
  );
});

test('the only task of a project has the same chance as fifteen of another', () => {
  const waiting = rows(...Array.from({ length: 15 }, () => 'many'), 'one');
  const first = [0, 1].map((project) => fairOrder(waiting, { below: (bound) => Math.min(project, bound - 1) })[0]?.project_id);
  assert.deepEqual(first, ['many', 'one']);
});

test('the lots decide within a project too', () => {
  const waiting = rows('a', 'a', 'a');
  assert.deepEqual(
    fairOrder(waiting, { below: (bound) => bound - 1 }).map(({ id }) => id),
    [2, 1, 0],
  );
});
