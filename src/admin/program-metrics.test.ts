import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { StandingClock } from '../../test/bench/standing-clock.ts';
import { memoryDatabase } from '../../test/bench/task-bench.ts';
import type { Database } from '../db/database.ts';
import { sqlite } from '../db/dialect.ts';
import { openDatabase } from '../db/open-database.ts';
import type { Task } from '../tasks/task.ts';
import { TaskStore } from '../tasks/task-store.ts';
import { randomIds } from '../telemetry/ids.ts';
import { silentLogger } from '../telemetry/logger.ts';
import { programMetrics } from './program-metrics.ts';

const task = { kind: 'container.create' } as Task;

async function setUp() {
  const clock = new StandingClock();
  const observers = programMetrics(clock, silentLogger);
  const database = await memoryDatabase();
  observers.watchQueue(database);
  return {
    clock,
    observers,
    database,
    has: async (line: string) => assert.ok((await observers.metrics.text()).split('\n').includes(line), line),
  };
}

test('requests are counted by route; what no route is for counts together', async () => {
  const { observers, has } = await setUp();
  const answered = { requestId: null, milliseconds: 20 };
  observers.onAnswered({ ...answered, method: 'GET', route: '/v1/containers/{container_ident}', status: 404 });
  observers.onAnswered({ ...answered, method: 'PROPFIND', route: null, status: 404 });
  await has('zun_http_requests_total{method="GET",route="/v1/containers/{container_ident}",status="404"} 1');
  await has('zun_http_requests_total{method="other",route="none",status="404"} 1');
  await has('zun_http_request_duration_seconds_sum{method="other",route="none"} 0.02');
});

test('tasks are told by kind and state with the age of the oldest, read at the scrape', async () => {
  const { clock, database, has } = await setUp();
  const store = new TaskStore(database, clock, randomIds);
  const common = { kind: 'image.pull', projectId: 'p', requestId: null, actionId: null, payload: {}, deadline: clock.now() + 60_000 };
  for (const subject of ['a', 'b']) await database.transaction((queries) => store.enqueue(queries, { ...common, subject }));
  await clock.advance(7_000);
  assert.ok(await store.claim('w'));
  await has('zun_tasks{kind="image.pull",state="queued"} 1');
  await has('zun_tasks{kind="image.pull",state="running"} 1');
  await has('zun_task_oldest_age_seconds{kind="image.pull",state="running"} 7');
});

test('steps and tasks are counted by kind and outcome', async () => {
  const { observers, has } = await setUp();
  observers.tasks.stepEnded?.({ task, step: 'create workload', direction: 'run', outcome: 'again', milliseconds: 100 });
  observers.tasks.taskLeft?.(task, 'failed');
  observers.tasks.looked?.(null);
  await has('zun_task_step_duration_seconds_count{kind="container.create",step="create workload",direction="run",outcome="again"} 1');
  await has('zun_tasks_left_total{kind="container.create",outcome="failed"} 1');
  await has('zun_task_looks_total{found="nothing"} 1');
});

test('the age of the last listing grows until the next that succeeds', async () => {
  const { clock, observers, has } = await setUp();
  assert.doesNotMatch(await observers.metrics.text(), /^zun_sync_last_listing_age_seconds\{/m);
  observers.sync.listed?.({ cause: 'start', outcome: 'done', milliseconds: 5, differing: 2 });
  await clock.advance(60_000);
  observers.sync.listed?.({ cause: 'expired', outcome: 'failed', milliseconds: 5, differing: 0 });
  await has('zun_sync_last_listing_age_seconds{watch="engine"} 60');
  await has('zun_sync_differing_total 2');
  await has('zun_sync_listing_duration_seconds_count{cause="start",outcome="done"} 1');
  await has('zun_sync_listing_duration_seconds_count{cause="expired",outcome="failed"} 1');
  observers.sync.leads?.('sync', 3, true);
  observers.sync.hostsLost?.(2);
  await has('zun_leads{lease="sync"} 1');
  await has('zun_lost_hosts 2');
  observers.sync.leads?.('sync', 3, false);
  await has('zun_leads{lease="sync"} 0');
  await has('zun_lost_hosts 0');
  assert.doesNotMatch(await observers.metrics.text(), /^zun_sync_last_listing_age_seconds\{/m, 'another lists now');
});

test('whether the stream of events is there, and how long it has been silent, is told by who follows it', async () => {
  const { clock, observers, has } = await setUp();
  const { sync } = observers;
  const isTold = async () => /^zun_sync_stream_(connected|silence_seconds)[ {]/m.test(await observers.metrics.text());
  assert.equal(await isTold(), false);

  sync.streamMet?.('disconnected');
  await clock.advance(3_000);
  await has('zun_sync_stream_connected{watch="engine"} 0');
  await has('zun_sync_stream_silence_seconds{watch="engine"} 3');
  sync.streamMet?.('opened');
  await has('zun_sync_stream_connected{watch="engine"} 0');
  sync.streamMet?.('connected');
  await clock.advance(40_000);
  await has('zun_sync_stream_connected{watch="engine"} 1');
  await has('zun_sync_stream_silence_seconds{watch="engine"} 40');
  for (const sign of [() => sync.streamMet?.('alive'), () => sync.eventSeen?.('die')]) {
    sign();
    await has('zun_sync_stream_silence_seconds{watch="engine"} 0');
    await clock.advance(10_000);
  }
  await has('zun_sync_events_total{action="die"} 1');
  for (const loss of ['disconnected', 'expired'] as const) {
    sync.streamMet?.(loss);
    await has('zun_sync_stream_connected{watch="engine"} 0');
    await has('zun_sync_stream_silence_seconds{watch="engine"} 10');
    sync.streamMet?.('connected');
    await clock.advance(10_000);
  }
  await has('zun_sync_stream_connections_total 3');
  sync.streamMet?.('left');
  assert.equal(await isTold(), false);
});

test('consoles are counted while they are open, by how they ended, and by what went through them', async () => {
  const { observers, has } = await setUp();
  const { consoles } = observers;
  await has('zun_consoles_open 0');
  consoles.refused?.('token');
  consoles.opened?.();
  consoles.opened?.();
  await has('zun_consoles_open 2');
  consoles.ended?.({ outcome: 'target-closed', bytesIn: 3, bytesOut: 40 });
  await has('zun_consoles_open 1');
  await has('zun_consoles_total{outcome="refused-token"} 1');
  await has('zun_consoles_total{outcome="target-closed"} 1');
  await has('zun_console_bytes_total{direction="in"} 3');
  await has('zun_console_bytes_total{direction="out"} 40');
});

test('calls to other services are counted by operation and outcome', async () => {
  const { clock, observers, has } = await setUp();
  const ended = observers.outbound('engine')('GET /info');
  await clock.advance(30);
  ended('timeout');
  await has('zun_outbound_call_duration_seconds_sum{service="engine",operation="GET /info",outcome="timeout"} 0.03');
});

test('statements, transactions and what conflicts cost are counted', async () => {
  const { observers, has } = await setUp();
  const real = openDatabase(sqlite(':memory:'), observers.database.onQuery);
  // One conflict: the closure runs again.
  const conflicting: Database = {
    ...real,
    transaction: async (closure) => {
      await real.transaction(closure);
      return real.transaction(closure);
    },
  };
  const observed = observers.database.observed(conflicting);
  await observed.transaction(async (queries) => queries.selectNoFrom((value) => value.lit(1).as('one')).execute());
  const fails = observed.transaction(async () => {
    throw new Error('no');
  });
  await assert.rejects(fails, /no/);
  await has('zun_database_transactions_total{outcome="committed"} 1');
  await has('zun_database_transactions_total{outcome="failed"} 1');
  await has('zun_database_transaction_retries_total 1');
  await has('zun_database_statement_duration_seconds_count{statement="select",outcome="done"} 2');
});

test('a database that does not answer takes the queue out of the metrics, and nothing else', async () => {
  const { observers, database } = await setUp();
  await database.close();
  const text = await observers.metrics.text();
  assert.match(text, /^process_cpu_seconds_total/m);
  assert.doesNotMatch(text, /^zun_tasks\{/m);
});

test('docs/OPERATING.md lists exactly these metrics', async () => {
  const { observers } = await setUp();
  const own = [...(await observers.metrics.text()).matchAll(/^# TYPE (zun_\S+) /gm)].map(([, name]) => name);
  const document = readFileSync(new URL('../../docs/OPERATING.md', import.meta.url), 'utf8');
  const listed = [...document.matchAll(/^\| `(zun_\w+)` \|/gm)].map(([, name]) => name);
  assert.deepEqual([...listed].sort(), [...own].sort());
});
