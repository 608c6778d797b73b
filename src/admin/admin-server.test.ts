import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StandingClock } from '../../test/bench/standing-clock.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { adminServer } from './admin-server.ts';
import type { DependencyCheck, Readiness } from './readiness.ts';

function setUp(checks: Record<string, DependencyCheck> = {}) {
  const clock = new StandingClock();
  const metrics = new Metrics();
  return { clock, metrics, server: adminServer({ checks, metrics, clock }) };
}

const up: DependencyCheck = async () => {};
const down = (reason: string): DependencyCheck => {
  return async () => {
    throw new Error(reason);
  };
};

test('/healthz says that the process runs, whatever it depends on', async () => {
  const answer = await setUp({ engine: down('gone') }).server.inject('/healthz');
  assert.deepEqual([answer.statusCode, answer.json()], [200, { status: 'alive' }]);
});

test('/readyz names each dependency when all answer', async () => {
  const answer = await setUp({ database: up, engine: up }).server.inject('/readyz');
  assert.equal(answer.statusCode, 200);
  assert.deepEqual(answer.json(), { ready: true, dependencies: { database: { status: 'up', ms: 0 }, engine: { status: 'up', ms: 0 } } });
});

test('/readyz is 503 with the reason when one is down; the others are told all the same', async () => {
  const answer = await setUp({ database: up, engine: down('The engine cannot be reached: ECONNREFUSED'), identity: up }).server.inject(
    '/readyz',
  );
  assert.equal(answer.statusCode, 503);
  const { ready, dependencies }: Readiness = answer.json();
  assert.equal(ready, false);
  assert.deepEqual(dependencies.engine, { status: 'down', ms: 0, reason: 'The engine cannot be reached: ECONNREFUSED' });
  assert.deepEqual(
    Object.entries(dependencies).map(([name, { status }]) => [name, status]),
    [
      ['database', 'up'],
      ['engine', 'down'],
      ['identity', 'up'],
    ],
  );
});

test('/readyz leaves out, and does not ask, what the asker can do without; a name that is none is 400 in words', async () => {
  let asked = 0;
  const engine: DependencyCheck = async () => {
    asked += 1;
    throw new Error('gone');
  };
  const { server } = setUp({ database: up, engine, identity: up });
  const answer = await server.inject('/readyz?exclude=engine');
  assert.deepEqual([answer.statusCode, Object.keys(answer.json().dependencies), asked], [200, ['database', 'identity'], 0]);
  const several = await server.inject('/readyz?exclude=engine&exclude=database');
  assert.deepEqual(Object.keys(several.json().dependencies), ['identity']);
  assert.equal((await server.inject('/readyz?exclude=database')).statusCode, 503);
  const wrong = await server.inject('/readyz?exclude=engin');
  assert.deepEqual(
    [wrong.statusCode, wrong.json()],
    [400, { error: "exclude is 'engin', which this program does not need; it needs database, engine, identity" }],
  );
});

test('a dependency that never answers is down after 5 s, and its check is told to give up', async () => {
  let given = false;
  const hangs: DependencyCheck = (signal) => new Promise(() => signal.addEventListener('abort', () => (given = true)));
  const { server, clock } = setUp({ engine: hangs });
  const asked = server.inject('/readyz').then((answer) => answer);
  for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(5_000);
  const answer = await asked;
  assert.equal(answer.statusCode, 503);
  assert.deepEqual(answer.json().dependencies.engine, { status: 'down', ms: 5_000, reason: 'no answer within 5 s' });
  assert.equal(given, true);
});

test('a reason tells no password', async () => {
  const answer = await setUp({ database: down('cannot connect to mysql://zun:hunter2@db/zun') }).server.inject('/readyz');
  assert.equal(answer.json().dependencies.database.reason, 'cannot connect to mysql://zun:[redacted]@db/zun');
});

test('/metrics is the text format of Prometheus', async () => {
  const { server, metrics } = setUp();
  metrics.counter('things_total', 'Things.').add();
  const answer = await server.inject('/metrics');
  assert.match(String(answer.headers['content-type']), /^text\/plain; version=0\.0\.4/);
  assert.match(answer.body, /^things_total 1$/m);
});

test('what changes something, and every other path, is not there', async () => {
  const { server } = setUp();
  for (const [method, url] of [
    ['POST', '/metrics'],
    ['DELETE', '/healthz'],
    ['GET', '/'],
    ['GET', '/v1/containers'],
  ] as const)
    assert.equal((await server.inject({ method, url })).statusCode, 404);
});
