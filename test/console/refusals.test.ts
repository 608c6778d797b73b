import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import { RuntimeFault } from '../../src/runtime/runtime-fault.ts';
import { eventually } from '../contract/runtime/eventually.ts';
import { ConsoleBench, containerUuid, soon } from './console-bench.ts';
import { FakeConsole } from './fake-console.ts';

const exec = { kind: 'exec', command: ['sh'], interactive: true } as const;

test('a missing or ill-formed parameter is named, and the token stays good', async (t) => {
  const bench = await ConsoleBench.open(t);
  const { token, query } = await bench.promise();
  const cases: [query: string, words: RegExp][] = [
    ['', /'token' is missing/],
    [`?uuid=${containerUuid}`, /'token' is missing/],
    [`?token=&uuid=${containerUuid}`, /'token' is missing/],
    [`?token=${token}`, /'uuid' is missing/],
    [`?token=${token}&uuid=web`, /'uuid' is no UUID/],
    [`${query}&exec_id=`, /'exec_id' is no id/],
    [`${query}&exec_id=ABC`, /'exec_id' is no id/],
    [`${query}&token=other`, /'token' is there more than once/],
  ];
  for (const [wrong, words] of cases) {
    const refusal = await bench.refusal(wrong);
    assert.equal(refusal.status, 400, wrong);
    assert.match(refusal.words, words);
  }
  for (const offered of [['base64'], ['foo'], ['foo', 'base64']]) {
    assert.deepEqual(await bench.refusal(query, offered), { status: 400, words: 'Invalid protocol selected\n' });
  }
  await bench.talk({ query });
});

test('binary is chosen wherever it is offered, and nothing where nothing is', async (t) => {
  const bench = await ConsoleBench.open(t);
  for (const [protocols, chosen] of [
    [['binary'], 'binary'],
    [['binary', 'base64'], 'binary'],
    [['base64', 'binary'], 'binary'],
    [[], ''],
  ] as const) {
    const { socket } = await bench.talk({ protocols: [...protocols] });
    assert.equal(socket.protocol, chosen);
  }
});

test('a token that is wrong, used, expired or of something else is refused in the same words', async (t) => {
  const bench = await ConsoleBench.open(t);
  const [attach, run, stale] = [await bench.promise(), await bench.promise(exec), await bench.promise()];
  const used = await bench.promise();
  await bench.talk({ query: used.query });
  const opened = bench.asked.length;
  await bench.clock.advance(1);
  const wrong = [
    `?token=00000000-0000-4000-8000-000000000000&uuid=${containerUuid}`,
    used.query,
    `?token=${attach.token}&uuid=00000000-0000-4000-8000-000000000000`,
    `?token=${attach.token}&uuid=${containerUuid}&exec_id=${attach.id}`,
    `?token=${run.token}&uuid=${containerUuid}`,
    `?token=${run.token}&uuid=${containerUuid}&exec_id=${attach.id}`,
  ];
  const words = 'The token is wrong, was used or has expired: ask the API for a new address.\n';
  for (const query of wrong) assert.deepEqual(await bench.refusal(query), { status: 401, words }, query);
  await bench.clock.advance(bench.settings.tokenSeconds * 1000);
  assert.deepEqual(await bench.refusal(stale.query), { status: 401, words });
  assert.equal(bench.asked.length, opened, 'no runtime was asked');
  const line = await bench.line('console refused');
  assert.equal(line.reason, 'token');
  assert.match(String(line.request_id), /^req-/);
  for (const secret of [attach.token, run.token, used.token, stale.token]) assert.ok(!JSON.stringify(bench.lines).includes(secret));
});

test('a token opens one console, however many ask at once', async (t) => {
  const bench = await ConsoleBench.open(t);
  const { query } = await bench.promise();
  const all = await Promise.allSettled(Array.from({ length: 8 }, () => bench.talk({ query })));
  assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal(bench.asked.length, 1);
});

test('what the runtime refuses is a status with its words, and the row is forgotten', async (t) => {
  const bench = await ConsoleBench.open(t);
  const cases: [RuntimeFault['kind'], number, RegExp][] = [
    ['conflict', 409, /^It is not so\.$/m],
    ['failed', 409, /^It is not so\.$/m],
    ['not-found', 409, /has no workload on its node/],
    ['unreachable', 503, /cannot be reached: It is not so/],
    ['timeout', 503, /did not answer in time: It is not so/],
  ];
  for (const [kind, status, words] of cases) {
    bench.opens = () => Promise.reject(new RuntimeFault(kind, 'It is not so.'));
    const refusal = await bench.refusal((await bench.promise(exec)).query);
    assert.equal(refusal.status, status, kind);
    assert.match(refusal.words, words);
  }
  assert.deepEqual(await bench.rows(), []);
});

test('a runtime that does not answer is given up, and what it opens later is closed', async (t) => {
  const bench = await ConsoleBench.open(t);
  const { promise, resolve } = Promise.withResolvers<FakeConsole>();
  bench.opens = () => promise;
  const refusal = bench.refusal((await bench.promise()).query);
  await soon('it is asked', () => bench.asked.length === 1);
  await bench.clock.advance(30_000);
  assert.equal((await refusal).status, 503);
  const late = new FakeConsole();
  resolve(late);
  await soon('it is closed', () => late.closes > 0);
});

test('a database that cannot be reached is a 503', async (t) => {
  const queries = {
    selectFrom() {
      throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:3306'), { code: 'ECONNREFUSED' });
    },
  };
  const bench = await ConsoleBench.open(t, {}, { database: { queries } as unknown as Database });
  const { query } = await bench.promise();
  assert.deepEqual(await bench.refusal(query), { status: 503, words: 'The database cannot be reached: try again later.\n' });
  assert.match(String((await bench.line('console refused')).cause), /ECONNREFUSED/);
});

test('a defect is told by an id, and in the log', async (t) => {
  const bench = await ConsoleBench.open(t);
  const { query } = await bench.promise();
  bench.opens = () => Promise.reject(new TypeError('secret of the house'));
  const defect = await bench.refusal(query);
  assert.equal(defect.status, 500);
  assert.match(defect.words, /its log has req-/);
  assert.ok(!defect.words.includes('secret'));
  assert.match(String((await bench.line('console refused')).err), /secret of the house/);
});

test('more consoles than a process takes are refused until one is over', async (t) => {
  const bench = await ConsoleBench.open(t, {}, { most: 2 });
  const first = await bench.talk();
  await bench.talk();
  const { query } = await bench.promise();
  assert.deepEqual(await bench.refusal(query), {
    status: 503,
    words: 'There are 2 consoles open here, and no more can be: try again later.\n',
  });
  first.socket.close();
  await eventually(
    'the first is forgotten',
    () => bench.rows(),
    ({ length }) => length === 2,
  );
  await bench.talk({ query });
});

test('who asks without a WebSocket hears what this is', async (t) => {
  const bench = await ConsoleBench.open(t);
  for (const init of [{}, { method: 'POST', body: 'x' }]) {
    const answer = await fetch(`${bench.origin}/${(await bench.promise()).query}`, init);
    assert.equal(answer.status, 426);
    assert.match(await answer.text(), /console proxy of Zun/);
  }
  assert.match(await raw(bench, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'), /^HTTP\/1\.1 426 /);
});

test('a handshake that is none is refused before a token is used up', async (t) => {
  const bench = await ConsoleBench.open(t);
  const { query } = await bench.promise();
  const head = `GET /${query} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
  for (const rest of [
    'Sec-WebSocket-Version: 13\r\n',
    `${key}Sec-WebSocket-Version: 7\r\n`,
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: no\r\n',
  ])
    assert.match(await raw(bench, `${head}${rest}\r\n`), /^HTTP\/1\.1 400 /);
  assert.match(await raw(bench, `${head.replace('GET', 'PUT')}${key}Sec-WebSocket-Version: 13\r\n\r\n`), /^HTTP\/1\.1 400 /);
  assert.match(await raw(bench, `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`), /^HTTP\/1\.1 431 /);
  await bench.talk({ query });
});

test('who does not come to the end of the headers, or never says anything, is hung up on', async (t) => {
  const bench = await ConsoleBench.open(t, {}, { headersTimeout: 100 });
  const { query } = await bench.promise();
  assert.match(await raw(bench, `GET /${query} HTTP/1.1\r\nHost: a`), /^HTTP\/1\.1 408 /);
  assert.match(await raw(bench, ''), /^HTTP\/1\.1 408 /);
});

test('the answer names the request as the log does', async (t) => {
  const bench = await ConsoleBench.open(t);
  const { query } = await bench.promise();
  const socket = bench.connect(query);
  const id = await new Promise((resolve) => socket.once('upgrade', ({ headers }) => resolve(headers['x-openstack-request-id'])));
  assert.match(String(id), /^req-/);
  assert.equal((await bench.line('console opened')).request_id, id);
});

/** What comes for these bytes until the other side hangs up. */
function raw(bench: ConsoleBench, bytes: string): Promise<string> {
  const socket = connect(bench.port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}
