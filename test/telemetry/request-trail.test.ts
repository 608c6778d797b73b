import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { outboundMetrics } from '../../src/admin/outbound-metrics.ts';
import type { Database } from '../../src/db/database.ts';
import { createLogger } from '../../src/telemetry/create-logger.ts';
import { Metrics } from '../../src/telemetry/metrics.ts';
import { RequestScope } from '../../src/telemetry/request-scope.ts';
import { StandingClock } from '../bench/standing-clock.ts';
import { BudgetBench } from '../budgets/budget-bench.ts';

type Line = Record<string, unknown>;

/** The service with the log of a program at its finest, and calls to other services observed as those to an engine are. */
async function setUp() {
  const text: string[] = [];
  const scope = new RequestScope();
  const logger = createLogger({ level: 'debug', scope, destination: { write: (line: string) => void text.push(line) } });
  const observe = outboundMetrics(new Metrics(), new StandingClock(), logger)('engine');
  const bench = await BudgetBench.open({ logger, scope, onCall: (call) => observe(call)('ok') });
  text.length = 0;
  return { bench, text, lines: () => text.map((line) => JSON.parse(line) as Line) };
}

/** Looks until it is so; ten seconds at most. */
async function until(condition: () => boolean): Promise<void> {
  for (const signal = AbortSignal.timeout(10_000); !condition(); await new Promise((resolve) => setImmediate(resolve)))
    if (signal.aborted) assert.fail('it did not come to that');
}

const body = { name: 'web', image: 'busybox', command: ['sleep', '1000'], cpu: 1, memory: '64' };

test('every line of a request, of the task it queued and of the calls that were made for both carries its request id', async () => {
  const { bench, lines } = await setUp();
  const worker = bench.core.startWorker('w');
  await bench.ask('POST /v1/containers?run=true', { json: body });
  const ended = () => lines().find(({ msg }) => msg === 'task left');
  await until(() => ended() !== undefined);
  await worker.stop(0);
  const id = lines().find(({ msg }) => msg === 'request')?.request_id;
  assert.match(String(id), /^req-/);
  assert.equal(ended()?.outcome, 'ended');
  const calls = lines().filter(({ msg }) => msg === 'outbound call');
  const made = calls.map(({ operation }) => operation);
  for (const call of ['identity.validate', 'inventory.claim', 'networking.createPort', 'images.pull', 'runtime.create', 'runtime.start'])
    assert.ok(made.includes(call), call);
  for (const line of lines()) assert.equal(line.request_id, id, JSON.stringify(line));
});

test('two requests at once keep their ids apart', async () => {
  const { bench, lines } = await setUp();
  await Promise.all(['first', 'second'].map((name) => bench.ask('POST /v1/containers', { json: { ...body, name } })));
  const worker = bench.core.startWorker('w');
  await until(() => lines().filter(({ msg }) => msg === 'task left').length === 2);
  await worker.stop(0);
  const byRequest = Map.groupBy(lines(), ({ request_id }) => request_id);
  assert.equal(byRequest.size, 2);
  const [one, other] = [...byRequest.values()].map((group) => group.map(({ msg, operation }) => `${msg} ${operation ?? ''}`).sort());
  assert.deepEqual(one, other);
});

/** All text of all rows. */
async function dump({ queries }: Database): Promise<string> {
  const tables = await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(queries);
  const rows = await Promise.all(tables.rows.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(queries)));
  return JSON.stringify(rows.map((table) => table.rows));
}

test('user tokens and registry passwords are in no row and in no line of the log, whatever succeeds or fails', async () => {
  const { bench, text } = await setUp();
  const secrets = { token: 'c0ffeec0ffeec0ffee', fernet: `gAAAAAB${'k-_3'.repeat(20)}`, password: 'correcthorsebattery' };
  for (const token of [`demo.${secrets.token}`, `demo.${secrets.fernet}`]) {
    const registry = { registry: { name: 'team', domain: 'registry.example', username: 'me', password: secrets.password } };
    await bench.ask('POST /v1/registries', { token, json: registry });
    await bench.ask('POST /v1/containers?run=true', { token, json: { ...body, registry: undefined } });
    await bench.runTasks();
    // What a service answers may hold what it was sent.
    const saying = Object.assign(new Error(`x-auth-token: ${token} refused by https://me:${secrets.password}@engine`), { token });
    bench.networking.failure = saying;
    await assert.rejects(bench.ask('POST /v1/containers?run=true', { token, json: body }), /500/);
    await bench.ask('POST /v1/containers?run=true', { token, json: { ...body, nets: [] } }).catch(() => {});
    await bench.runTasks();
    bench.networking.failure = null;
  }
  const [log, rows] = [text.join(''), await dump(bench.database)];
  assert.match(log, /request failed/);
  assert.match(rows, /registry\.example/);
  for (const [name, secret] of Object.entries(secrets)) {
    assert.equal(log.includes(secret), false, `${name} in the log:\n${text.find((line) => line.includes(secret))}`);
    assert.equal(rows.includes(secret), false, `${name} in a row`);
  }
});
