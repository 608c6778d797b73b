import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerBench, refusalOf } from '../../../../test/bench/container-bench.ts';

const exec = { exec_id: 'f'.repeat(64), h: '10', w: '20' };

test('what needs the console proxy is refused with what to use instead', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container({ interactive: true, tty: true });
  const sentences = [
    refusalOf(await bench.on(uuid, 'GET', 'attach'), 409, 'container.operation-not-supported'),
    refusalOf(await bench.on(uuid, 'POST', 'resize', { query: { h: '10', w: '20' } }), 409, 'container.operation-not-supported'),
    refusalOf(await bench.on(uuid, 'POST', 'execute_resize', { query: exec }), 409, 'container.operation-not-supported'),
  ];
  for (const sentence of sentences) assert.match(sentence, /needs the console proxy, which is not part of this release\. Use /);
});

test('what the original refuses before is refused the same', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  const sentence = refusalOf(await bench.on(uuid, 'GET', 'attach'), 400, 'container.no-interactive-flag');
  assert.equal(sentence, "Container doesn't support to be attached, please check the interactive set properly");
  refusalOf(await bench.on(uuid, 'POST', 'execute_resize', { query: { h: '1', w: '1' } }), 400, 'container.schema-validation-error');
  refusalOf(await bench.on(uuid, 'POST', 'resize', { query: { h: '0', w: '1' } }), 400, 'container.schema-validation-error');
  await bench.runtime.stop(uuid, 0);
  await bench.services.database.queries.updateTable('container').set({ status: 'Stopped' }).where('uuid', '=', uuid).execute();
  for (const [method, action, query] of [
    ['GET', 'attach', {}],
    ['POST', 'resize', {}],
    ['POST', 'execute_resize', exec],
  ] as const) {
    refusalOf(await bench.on(uuid, method, action, { query }), 409, 'container.invalid-state-exception');
  }
});
