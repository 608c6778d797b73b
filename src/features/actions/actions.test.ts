import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerBench, refusalOf } from '../../../test/bench/container-bench.ts';

interface ActionList {
  containerActions: { action: string; request_id: string; message: string | null; start_time: string; finish_time: string | null }[];
}

async function actionsOf(bench: ContainerBench, uuid: string, as: 'demo' | 'admin' = 'demo') {
  return ((await bench.on(uuid, 'GET', 'container_actions', { as })).json as ActionList).containerActions;
}

const names = (actions: ActionList['containerActions']) => actions.map(({ action, message }) => [action, message]);

test('actions come newest first, open until their task has ended', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  await bench.clock.advance(1000);
  await bench.on(uuid, 'POST', 'network_attach', { query: { network: 'second' } });
  const [open] = await actionsOf(bench, uuid);
  assert.deepEqual([open?.action, open?.start_time, open?.finish_time], ['network_attach', '2026-03-01T12:00:01.000000', null]);
  await bench.runTasks();
  const actions = await actionsOf(bench, uuid);
  assert.deepEqual(names(actions), [
    ['network_attach', null],
    ['create', null],
  ]);
  assert.equal(actions[0]?.finish_time, '2026-03-01T12:00:01.000000');
});

test('one action is shown by its request’s id, with its events', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  const { headers } = await bench.on(uuid, 'POST', 'commit', { query: { repository: 'committed' } });
  await bench.runTasks();
  const requestId = String(headers['x-openstack-request-id']);
  const time = '2026-03-01T12:00:00.000000';
  const { status, json } = await bench.on(uuid, 'GET', `container_actions/${requestId}`, { query: { all_projects: 'true' } });
  assert.equal(status, 200);
  assert.deepEqual(json, {
    action: 'commit',
    container_uuid: uuid,
    request_id: requestId,
    user_id: 'demo-user',
    project_id: 'demo-project',
    start_time: time,
    finish_time: time,
    message: null,
    events: [{ event: 'compute__do_container_commit', start_time: time, finish_time: time, result: 'Success', traceback: null }],
  });
});

test('why an event failed is for the admin', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  await bench.on(uuid, 'POST', 'rebuild', { query: { image: 'nosuchimage' } });
  await bench.runTasks();
  const [rebuild] = await actionsOf(bench, uuid, 'admin');
  assert.deepEqual([rebuild?.action, rebuild?.message], ['rebuild', 'Error']);
  const show = async (as: 'demo' | 'admin') => {
    const { json } = await bench.on(uuid, 'GET', `container_actions/${rebuild?.request_id}`, { as });
    return (json as { events: { result: string; traceback: string | null }[] }).events[0];
  };
  assert.deepEqual([(await show('demo'))?.result, (await show('demo'))?.traceback], ['Error', null]);
  assert.match(String((await show('admin'))?.traceback), /nosuchimage/);
});

test('an unknown action and a container of others are 404', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  const sentence = refusalOf(await bench.on(uuid, 'GET', 'container_actions/req-x'), 404, 'container.resource-not-found');
  assert.equal(sentence, 'The Action resource req-x could not be found.');
  refusalOf(await bench.on(uuid, 'GET', 'container_actions', { as: 'other' }), 404, 'container.container-not-found');
});
