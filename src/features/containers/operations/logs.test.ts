import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerBench, refusalOf } from '../../../../test/bench/container-bench.ts';

const speaks = ['sh', '-c', 'echo out1; echo err1 >&2; echo out2; sleep 1000'];

async function speaker(command = speaks) {
  const bench = await ContainerBench.open();
  const uuid = await bench.container({ command });
  await bench.clock.advance(0);
  return { bench, logs: (query: Record<string, string> = {}) => bench.on(uuid, 'GET', 'logs', { query }) };
}

test('logs come in the order they were written, or one stream of them', async () => {
  const { logs } = await speaker();
  assert.equal((await logs()).json, 'out1\nerr1\nout2\n');
  assert.equal((await logs({ stderr: 'false' })).json, 'out1\nout2\n');
  assert.equal((await logs({ stdout: '0', stderr: 'True' })).json, 'err1\n');
});

test('tail takes the last lines, and everything when it is no number', async () => {
  const { logs } = await speaker();
  assert.equal((await logs({ tail: '2' })).json, 'err1\nout2\n');
  assert.equal((await logs({ tail: '0' })).json, '');
  for (const tail of ['all', 'x', '-1', 'None']) assert.equal((await logs({ tail })).json, 'out1\nerr1\nout2\n');
});

test('since takes seconds and times, timestamps go before each line', async () => {
  const { bench, logs } = await speaker();
  assert.equal((await logs({ since: '1000' })).json, 'out1\nerr1\nout2\n');
  assert.equal((await logs({ since: '2026-03-01 11:59:59,000' })).json, 'out1\nerr1\nout2\n');
  assert.equal((await logs({ since: String(bench.clock.now() / 1000 + 60) })).json, '');
  assert.match(String((await logs({ timestamps: 'true', tail: '1' })).json), /^2026-03-01T12:00:00\.000000000Z out2\n$/);
  refusalOf(await logs({ since: '2020-01-01' }), 400, 'container.schema-validation-error');
});

test('logs with neither stream are a 400 in the engine’s words, not a 500', async () => {
  const { logs } = await speaker();
  assert.match(refusalOf(await logs({ stdout: 'false', stderr: 'false' }), 400, 'container.invalid'), /at least one stream/);
});

test('logs that are not UTF-8 are answered with the bytes', async () => {
  const { logs } = await speaker(['sh', '-c', "printf '\\377é\\n'; sleep 1000"]);
  assert.equal((await logs()).json, 'ÿé\n');
});

test('logs of a container whose workload was taken away are a 409 that says what to do, not a 500', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  await bench.runtime.remove(uuid);
  assert.match(refusalOf(await bench.on(uuid, 'GET', 'logs'), 409, 'container.conflict'), /rebuild it/);
});
