import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerBench, refusalOf } from '../../../../test/bench/container-bench.ts';
import { RuntimeFault } from '../../../runtime/runtime-fault.ts';

const commit = (bench: ContainerBench, uuid: string, query: Record<string, string>) => bench.on(uuid, 'POST', 'commit', { query });
const imageRows = (bench: ContainerBench) => bench.services.database.queries.selectFrom('image').selectAll().execute();

test('a commit answers the image’s uuid, and the node and the project’s list hold the image', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  await bench.on(uuid, 'POST', 'execute', { query: { command: 'touch /changed' } });
  const { status, json } = await commit(bench, uuid, { repository: 'committed', tag: 'v1' });
  assert.equal(status, 202);
  await bench.runTasks();
  const stored = await bench.images.find('committed:v1');
  assert.ok(stored);
  const rows = (await imageRows(bench)).map(({ uuid, repo, tag, image_id, project_id, host }) => ({
    uuid,
    repo,
    tag,
    image_id,
    project_id,
    host,
  }));
  const row = {
    ...(json as { uuid: string }),
    repo: 'committed',
    tag: 'v1',
    image_id: stored.id,
    project_id: 'demo-project',
    host: 'bench',
  };
  assert.deepEqual(rows, [row]);
  assert.equal((await bench.show(uuid)).status, 'Running');
  const { json: again } = await commit(bench, uuid, { repository: 'committed', tag: 'v1' });
  await bench.runTasks();
  assert.deepEqual(again, json, 'the same name is the same image of the list');
  assert.equal((await imageRows(bench)).length, 1);
});

test('a commit without a tag is latest', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  await commit(bench, uuid, { repository: 'committed' });
  await bench.runTasks();
  assert.ok(await bench.images.find('committed:latest'));
});

test('a bad repository name is a 400 at once, not a 202', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  for (const query of [
    { repository: 'Rec Bad' },
    { repository: 'good', tag: 'b@d' },
    { repository: 'good:tag' },
    { repository: 'x', tag: '' },
  ]) {
    assert.match(
      refusalOf(await commit(bench, uuid, query as Record<string, string>), 400, 'container.invalid-value'),
      /repository and tag/,
    );
  }
  refusalOf(await commit(bench, uuid, {}), 400, 'container.schema-validation-error');
});

test('a commit that fails leaves the container running, with the reason shown', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  bench.faults = (call) => {
    if (call === 'commit') throw new RuntimeFault('failed', 'no space left on device');
  };
  await commit(bench, uuid, { repository: 'committed' });
  await bench.runTasks();
  const { status, status_reason } = await bench.show(uuid);
  assert.deepEqual([status, status_reason], ['Running', 'Commit of committed:latest failed: no space left on device']);
});

test('a container that was never started refuses', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container({}, { run: false });
  refusalOf(await commit(bench, uuid, { repository: 'x1' }), 409, 'container.invalid-state-exception');
});
