import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerBench, refusalOf } from '../../../../test/bench/container-bench.ts';
import { consoleSize, takeConsole } from '../../consoles/console-store.ts';

/** Of an address: what the proxy is told, and where it is. */
function parts(address: unknown): { at: string; token: string; uuid: string | null; execId: string | null } {
  const url = new URL(address as string);
  const { token, uuid, exec_id: execId } = Object.fromEntries(url.searchParams);
  return { at: `${url.protocol}//${url.host}${url.pathname}`, token: token ?? '', uuid: uuid ?? null, execId: execId ?? null };
}

const taken = (bench: ContainerBench, { token, uuid, execId }: ReturnType<typeof parts>) => {
  const now = bench.clock.now();
  return takeConsole(bench.services.database.queries, { token, containerUuid: uuid ?? '', execId }, { now, until: now + 60_000 });
};

test('attach answers an address beside the API that is good for one console of that container', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container({ interactive: true, tty: true });
  const other = await bench.container({ interactive: true, tty: true });
  const { status, json } = await bench.on(uuid, 'GET', 'attach');
  assert.equal(status, 200);
  const address = parts(json);
  assert.match(address.at, /^ws:\/\/[^/:]+:6784\/$/);
  assert.deepEqual([address.uuid, address.execId], [uuid, null]);
  assert.equal(await taken(bench, { ...address, uuid: other }), null);
  assert.equal(await taken(bench, { ...address, token: 'guessed' }), null);
  assert.deepEqual((await taken(bench, address))?.target, { kind: 'attach' });
  assert.equal(await taken(bench, address), null);
});

test('the address begins as the operator says', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container({ interactive: true, tty: true });
  bench.services.consoles.publicUrl = 'wss://console.example/zun/';
  const { json } = await bench.on(uuid, 'GET', 'attach');
  assert.equal(parts(json).at, 'wss://console.example/zun/');
});

test('an address is good for its time and no longer, and what nobody came for is forgotten', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container({ interactive: true, tty: true });
  const address = parts((await bench.on(uuid, 'GET', 'attach')).json);
  await bench.clock.advance(bench.services.consoles.tokenSeconds * 1000);
  assert.equal(await taken(bench, address), null);
  await bench.clock.advance(1);
  await bench.on(uuid, 'GET', 'attach');
  const rows = await bench.services.database.queries.selectFrom('openkeel_console').select('id').execute();
  assert.equal(rows.length, 1);
});

test('no row and no answer but the address itself has the token', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container({ interactive: true, tty: true });
  const { token } = parts((await bench.on(uuid, 'GET', 'attach')).json);
  const rows = await bench.services.database.queries.selectFrom('openkeel_console').selectAll().execute();
  assert.ok(!JSON.stringify(rows).includes(token));
});

test('an exec that is not to be run now answers its id and the address that runs it', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  for (const interactive of [true, false]) {
    const query = { command: "sh -c 'ls /'", run: 'false', interactive: String(interactive) };
    const { status, json } = await bench.on(uuid, 'POST', 'execute', { query });
    const { output, exit_code, exec_id, proxy_url } = json as Record<string, unknown>;
    assert.deepEqual([status, output, exit_code], [200, null, null]);
    const address = parts(proxy_url);
    assert.deepEqual([address.uuid, address.execId], [uuid, exec_id]);
    assert.match(String(exec_id), /^[0-9a-f]{64}$/);
    // The address of an exec is none of an attach, nor of another exec.
    assert.equal(await taken(bench, { ...address, execId: null }), null);
    assert.equal(await taken(bench, { ...address, execId: 'f'.repeat(64) }), null);
    const target = { kind: 'exec', command: ['sh', '-c', 'ls /'], interactive };
    assert.deepEqual((await taken(bench, address))?.target, target);
  }
});

test('a size is for the terminals of one exec, or of all that are attached', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container({ interactive: true, tty: true });
  const { queries } = bench.services.database;
  await bench.on(uuid, 'GET', 'attach');
  await bench.on(uuid, 'GET', 'attach');
  const { json } = await bench.on(uuid, 'POST', 'execute', { query: { command: 'sh', run: 'false', interactive: 'true' } });
  const { exec_id: execId } = json as { exec_id: string };
  const attached = await queries.selectFrom('openkeel_console').select('id').where('kind', '=', 'attach').execute();
  assert.equal((await bench.on(uuid, 'POST', 'resize', { query: { h: '30', w: '90' } })).status, 200);
  assert.equal(await consoleSize(queries, execId), null);
  assert.equal((await bench.on(uuid, 'POST', 'execute_resize', { query: { exec_id: execId, h: '40', w: '120' } })).status, 200);
  assert.deepEqual(await consoleSize(queries, execId), { width: 120, height: 40 });
  assert.equal(attached.length, 2);
  for (const { id } of attached) assert.deepEqual(await consoleSize(queries, id), { width: 90, height: 30 });
});

test('a size is told by both sides, and for an exec that there is', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container({ interactive: true, tty: true });
  const refused = async (action: string, query: Record<string, string>) =>
    refusalOf(await bench.on(uuid, 'POST', action, { query }), 400, 'container.invalid-value');
  assert.equal(await refused('resize', { h: '40' }), "Missing value for w: a terminal's size is h rows and w columns.");
  assert.equal(await refused('resize', {}), "Missing value for h: a terminal's size is h rows and w columns.");
  const execId = 'f'.repeat(64);
  await refused('execute_resize', { exec_id: execId, w: '40' });
  const answer = await bench.on(uuid, 'POST', 'execute_resize', { query: { exec_id: execId, h: '1', w: '1' } });
  assert.match(refusalOf(answer, 400, 'container.invalid'), /^no such exec instance: /);
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
    ['POST', 'execute_resize', { exec_id: 'f'.repeat(64), h: '10', w: '20' }],
    ['POST', 'execute', { command: 'sh', run: 'false', interactive: 'true' }],
  ] as const) {
    refusalOf(await bench.on(uuid, method, action, { query }), 409, 'container.invalid-state-exception');
  }
});
