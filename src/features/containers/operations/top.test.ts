import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerBench, refusalOf } from '../../../../test/bench/container-bench.ts';

test('processes come as ps names them, with its arguments or without', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  const { status, json } = await bench.on(uuid, 'GET', 'top');
  assert.equal(status, 200);
  const { Titles, Processes } = json as { Titles: string[]; Processes: string[][] };
  assert.deepEqual(Titles.slice(0, 3), ['UID', 'PID', 'PPID']);
  assert.equal(Processes[0]?.at(-1), 'sleep 1000');
  assert.deepEqual((await bench.on(uuid, 'GET', 'top', { query: { ps_args: 'None' } })).json, json);
});

test('top with bad ps arguments is a 400, not a 500', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  refusalOf(await bench.on(uuid, 'GET', 'top', { query: { ps_args: 'kflgjdk' } }), 400, 'container.invalid');
});

test('a container that does not run refuses', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container({}, { run: false });
  refusalOf(await bench.on(uuid, 'GET', 'top'), 409, 'container.invalid-state-exception');
});
