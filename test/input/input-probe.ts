import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { assertSettled } from '../bench/leftovers.ts';
import type { LocalBench } from '../bench/local-bench.ts';

export interface Probe {
  method: string;
  /** Path and query, encoded as sent. */
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Longest wait for an answer, in milliseconds: what takes longer hangs. */
const patience = 10_000;

/**
 * Sends the request and holds the answer to what is promised of every input: it comes, it is no 5xx, a refusal is an error document
 * and has changed no table, and what was accepted comes to an end.
 */
export async function probe(bench: LocalBench, request: Probe): Promise<number> {
  const before = await rowCounts(bench);
  const answer = await answered(bench, request);
  const about = `${request.method} ${request.url.slice(0, 300)} ${String(request.body ?? '').slice(0, 300)}\n→ ${answer.statusCode} ${answer.body.slice(0, 600)}`;
  assert.ok(answer.statusCode < 500, about);
  if (answer.statusCode < 400) {
    await bench.runTasks();
    await assertSettled(bench);
    return answer.statusCode;
  }
  assertErrorDocument(answer.statusCode, answer.body, about);
  assert.deepEqual(await rowCounts(bench), before, `nothing is made: ${about}`);
  return answer.statusCode;
}

async function answered(bench: LocalBench, { method, url, headers, body }: Probe) {
  const answering = bench.core.server.inject({
    method: method as 'GET',
    url,
    headers: {
      accept: 'application/json',
      'x-auth-token': 'admin',
      'openstack-api-version': 'container 1.40',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: body }),
  });
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer: ${method} ${url.slice(0, 300)} ${String(body ?? '').slice(0, 300)}`)), patience);
  });
  return Promise.race([bench.whileTimePasses(answering), waited]).finally(() => clearTimeout(timer));
}

function assertErrorDocument(status: number, body: string, about: string): void {
  const document = JSON.parse(body) as { errors?: Record<string, unknown>[]; error?: Record<string, unknown> };
  if (status === 401) {
    assert.equal(document.error?.code, 401, about);
    return;
  }
  const [error] = document.errors ?? [];
  assert.ok(error, about);
  assert.equal(error.status, status, about);
  for (const member of ['code', 'title', 'detail']) assert.equal(typeof error[member], 'string', about);
}

/** Rows by table. */
async function rowCounts(bench: LocalBench): Promise<Record<string, number>> {
  const { queries } = bench.database;
  const tables = await queries.introspection.getTables();
  const counts = sql.join(tables.map(({ name }) => sql`(select count(*) from ${sql.table(name)}) as ${sql.ref(name)}`));
  const { rows } = await sql<Record<string, number>>`select ${counts}`.execute(queries);
  return { ...rows[0] };
}
