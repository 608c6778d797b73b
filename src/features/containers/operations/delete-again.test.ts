import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerBench } from '../../../../test/bench/container-bench.ts';

const isThere = async (bench: ContainerBench, uuid: string) => (await bench.request('GET', `/v1/containers/${uuid}`)).status === 200;

test('a delete with stop that is asked again while the container stops is one delete', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  let cancelled = 0;
  const cancel = bench.services.taskSignal.cancel.bind(bench.services.taskSignal);
  bench.services.taskSignal.cancel = (subject) => {
    cancelled += 1;
    cancel(subject);
  };
  for (let time = 0; time < 2; time++) {
    assert.equal((await bench.request('DELETE', `/v1/containers/${uuid}`, { query: { stop: 'true' } })).status, 204);
    const { status, task_state } = await bench.show(uuid);
    assert.deepEqual([status, task_state], ['Running', 'container_stopping']);
  }
  const queued = await bench.services.database.queries.selectFrom('openkeel_task').select('kind').execute();
  assert.deepEqual(
    queued.map(({ kind }) => kind),
    ['container.delete'],
  );
  assert.equal(cancelled, 1, 'what stops it goes on');
  // Process 1 ignores SIGTERM: it is killed after the grace of the first delete.
  const ended = bench.runTasks();
  while (await isThere(bench, uuid)) await bench.clock.advance(1_000);
  await ended;
});

test('a forced delete overtakes one that stops, and the row never says Error in between', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  await bench.request('DELETE', `/v1/containers/${uuid}`, { query: { stop: 'true' } });
  const answer = await bench.request('DELETE', `/v1/containers/${uuid}`, { as: 'admin', query: { force: 'true', all_projects: 'true' } });
  assert.equal(answer.status, 204);
  const seen = new Set<string | null>();
  bench.faults = async () => {
    const row = await bench.services.database.queries.selectFrom('container').select('status').where('uuid', '=', uuid).executeTakeFirst();
    seen.add(row?.status ?? null);
  };
  await bench.runTasks();
  assert.deepEqual([...seen], ['Deleting']);
  assert.equal(await isThere(bench, uuid), false);
});

test('a delete with stop that overtakes a stop never shows Error, nor that nothing is under way', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  await bench.request('POST', `/v1/containers/${uuid}/stop`);
  await bench.request('DELETE', `/v1/containers/${uuid}`, { query: { stop: 'true' } });
  const seen = new Set<string>();
  bench.faults = async () => {
    const { queries } = bench.services.database;
    const row = await queries.selectFrom('container').select(['status', 'task_state']).where('uuid', '=', uuid).executeTakeFirst();
    seen.add(`${row?.status}/${row?.task_state}`);
  };
  const ended = bench.runTasks();
  while (await isThere(bench, uuid)) await bench.clock.advance(1_000);
  await ended;
  assert.ok(seen.has('Running/container_stopping'));
  assert.deepEqual(
    [...seen].filter((each) => !['Running/container_stopping', 'Deleting/container_deleting'].includes(each)),
    [],
  );
});
