import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from './create-logger.ts';
import { RequestScope } from './request-scope.ts';

function setUp() {
  const lines: string[] = [];
  const scope = new RequestScope();
  const logger = createLogger({ level: 'debug', scope, destination: { write: (line: string) => void lines.push(line) } });
  return { lines, scope, logger, last: () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown> };
}

test('a line is one JSON object with time, level by name and message', () => {
  const { logger, last } = setUp();
  logger.warn({ container: 'c' }, 'said');
  const { time, level, msg, container } = last();
  assert.deepEqual([level, msg, container], ['warn', 'said', 'c']);
  assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('a line carries the request it was written for, across what is awaited, and none outside', async () => {
  const { logger, scope, last } = setUp();
  await scope.run({ requestId: 'req-1' }, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    logger.info({}, 'within');
  });
  assert.equal(last().request_id, 'req-1');
  logger.info({}, 'outside');
  assert.equal('request_id' in last(), false);
});

test('a request that is named while it runs is named in the lines that follow', () => {
  const { logger, scope, last } = setUp();
  const exchange = { requestId: '' };
  scope.run(exchange, () => {
    logger.info({}, 'not yet');
    assert.equal('request_id' in last(), false);
    exchange.requestId = 'req-2';
    logger.info({}, 'now');
  });
  assert.equal(last().request_id, 'req-2');
});

/** What a Keystone token, a local token and passwords look like. */
const secrets = {
  fernet: `gAAAAABk${'x9_-'.repeat(30)}==`,
  local: `${'eyJ1c2VySWQi'.repeat(8)}.${'Ab-_'.repeat(11)}`,
  password: 'hunter2hunter2',
};

const leaks: [string, object, string][] = [
  ['a key at the top', { password: secrets.password }, 'x'],
  ['a key deep in a list', { request: { headers: [{ 'x-auth-token': secrets.password }] } }, 'x'],
  ['credentials', { registryCredentials: { user: 'a', value: secrets.password } }, 'x'],
  ['a Fernet token in a message', {}, `token ${secrets.fernet} is refused`],
  ['a local token in an innocent key', { path: `/v1/${secrets.local}` }, 'x'],
  ['a URL with a password', { url: `mysql://zun:${secrets.password}@db/zun` }, 'x'],
  ['a header in text', { text: `X-Auth-Token: ${secrets.password}` }, 'x'],
  ['a basic header in text', { text: `Authorization: Basic ${secrets.password}` }, 'x'],
  ['JSON in text', { body: JSON.stringify({ auth: { password: secrets.password } }) }, 'x'],
  ['a form in text', { body: `user=a&password=${secrets.password}&x=1` }, 'x'],
  ['an error that carries its request', { err: Object.assign(new Error('no'), { config: { headers: { a: secrets.password } } }) }, 'x'],
  [
    'an error whose cause carries its statement',
    { err: new Error('no', { cause: Object.assign(new Error('sql'), { sql: secrets.password }) }) },
    'x',
  ],
  ['an error with the secret in its words', { err: new Error(`login at https://me:${secrets.password}@registry.example failed`) }, 'x'],
];

for (const [what, context, message] of leaks)
  test(`no secret is logged by ${what}`, () => {
    const { logger, lines } = setUp();
    logger.error(context, message);
    for (const secret of Object.values(secrets)) assert.equal(lines.join('').includes(secret), false, lines.join(''));
    JSON.parse(lines.join(''));
  });

test('ids and words stay readable', () => {
  const { logger, last } = setUp();
  const context = {
    container: '0f5f1b0e-8b8a-4e6e-9a55-0d8a3a1f3c11',
    engineId: 'a'.repeat(64),
    reason: 'unauthorized: incorrect username or password',
    image: `registry.example:5000/team/app@sha256:${'b'.repeat(64)}`,
    stack: 'at /usr/lib/node_modules/zun/src/features/containers/operations/create.ts:10:11',
  };
  logger.info(context, 'x');
  const line = last();
  for (const [key, value] of Object.entries(context)) assert.equal(line[key], value);
});

test('of an error are kept its name, words, stack, code and causes', () => {
  const { logger, last } = setUp();
  const cause = Object.assign(new Error('connect refused'), { code: 'ECONNREFUSED' });
  logger.error({ err: new TypeError('engine away', { cause }) }, 'x');
  const { err } = last() as { err: { type: string; message: string; stack: string; cause: { code: string } } };
  assert.deepEqual([err.type, err.message, err.cause.code], ['TypeError', 'engine away', 'ECONNREFUSED']);
  assert.match(err.stack, /create-logger\.test/);
});
