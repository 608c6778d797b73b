import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerBench, refusalOf } from '../../../../test/bench/container-bench.ts';

const exec = (bench: ContainerBench, uuid: string, query: Record<string, string>) => bench.on(uuid, 'POST', 'execute', { query });

test('a command is answered with both streams and its exit code', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  const { status, json } = await exec(bench, uuid, {
    command: "sh -c 'echo out; echo err >&2; exit 3'",
    run: 'true',
    interactive: 'False',
  });
  assert.equal(status, 200);
  assert.deepEqual(json, { output: 'out\nerr\n', exit_code: 3, exec_id: null, proxy_url: null });
});

test('a command may come in the body', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  const { json } = await bench.on(uuid, 'POST', 'execute', { json: { command: 'echo hello' } });
  assert.deepEqual(json, { output: 'hello\n', exit_code: 0, exec_id: null, proxy_url: null });
});

test('a missing program is an answer: 126 and the engine’s words', async () => {
  const bench = await ContainerBench.open();
  const { status, json } = await exec(bench, await bench.container(), { command: 'nosuchbinary' });
  const { output, exit_code } = json as { output: string; exit_code: number };
  assert.deepEqual([status, exit_code], [200, 126]);
  assert.match(output, /nosuchbinary/);
});

test('exec output that is not UTF-8 is answered with the bytes, not with a 500 after a minute', async () => {
  const bench = await ContainerBench.open();
  const { status, json } = await exec(bench, await bench.container(), { command: "printf '\\377\\376ok'" });
  assert.deepEqual([status, (json as { output: string }).output], [200, 'ÿþok']);
});

test('exec without a command is a 400, not a 500', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  assert.equal(refusalOf(await exec(bench, uuid, {}), 400, 'container.schema-validation-error'), "'command' is a required property");
  refusalOf(await bench.on(uuid, 'POST', 'execute', { json: { command: ['ls'] } }), 400, 'container.schema-validation-error');
});

test('exec with broken quoting, or with no words, is a 400 that names the command, not a 500', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  const sentence = refusalOf(await exec(bench, uuid, { command: "sh -c 'oops" }), 400, 'container.invalid-value');
  assert.equal(sentence, "Invalid value 'sh -c 'oops' for command: No closing quotation.");
  refusalOf(await exec(bench, uuid, { command: '  ' }), 400, 'container.invalid-value');
});

test('a command that does not end in time is a 409', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  const answer = exec(bench, uuid, { command: 'sleep 60' });
  const seconds = bench.services.settings.execTimeoutSeconds;
  await new Promise((resolve) => setImmediate(resolve));
  for (let waited = 0; waited < 50; waited += 1) await bench.clock.advance(waited === 49 ? seconds * 1000 : 0);
  assert.equal(refusalOf(await answer, 409, 'container.conflict'), 'Timeout on executing command: sleep 60');
});

test('what is to be run now is, interactive or not: it reads no input', async () => {
  const bench = await ContainerBench.open();
  const { json } = await exec(bench, await bench.container(), { command: 'echo now', run: 'true', interactive: 'true' });
  assert.deepEqual(json, { output: 'now\n', exit_code: 0, exec_id: null, proxy_url: null });
});

test('a container that does not run refuses', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container({}, { run: false });
  assert.equal(
    refusalOf(await exec(bench, uuid, { command: 'ls' }), 409, 'container.invalid-state-exception'),
    `Cannot execute container ${uuid} in Created state`,
  );
});

test('nobody else’s container is known', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  refusalOf(await bench.on(uuid, 'POST', 'execute', { as: 'other', query: { command: 'ls' } }), 404, 'container.container-not-found');
});
