import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerBench, refusalOf } from '../../../../test/bench/container-bench.ts';

const rename = (bench: ContainerBench, uuid: string, options: { query?: Record<string, string>; json?: unknown; version?: string }) =>
  bench.on(uuid, 'POST', 'rename', { version: '1.13', ...options });

test('a container is renamed up to 1.13', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  const { status, json } = await rename(bench, uuid, { query: { name: 'web2' } });
  assert.deepEqual([status, (json as { name: string }).name], [200, 'web2']);
  assert.equal((await rename(bench, uuid, { json: { name: 'web3' } })).status, 200);
  assert.equal((await bench.show('web3')).uuid, uuid);
  assert.equal((await rename(bench, uuid, { query: { name: 'web4' }, version: '1.14' })).status, 406);
});

test('the same name is a 409', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  const sentence = refusalOf(await rename(bench, uuid, { query: { name: 'web' } }), 409, 'container.conflict');
  assert.equal(sentence, 'The new name for the container is the same as the old name.');
});

test('a missing name is a 400, not a 500, and a bad one too, in the query or the body', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  refusalOf(await rename(bench, uuid, {}), 400, 'container.schema-validation-error');
  refusalOf(await rename(bench, uuid, { query: { name: '-x' } }), 400, 'container.schema-validation-error');
  refusalOf(await rename(bench, uuid, { json: { name: '-x' } }), 400, 'container.invalid-value');
});
