import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerBench, refusalOf } from '../../../../test/bench/container-bench.ts';

const change = (bench: ContainerBench, uuid: string, action: 'add' | 'remove', json: object = { name: 'web' }) =>
  bench.on(uuid, 'POST', `${action}_security_group`, { version: '1.14', json });
const portGroups = (bench: ContainerBench) => [...bench.networking.ports.values()].map((port) => port.securityGroups);

test('a security group is put on the ports and taken from them again', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container({ security_groups: ['default'] });
  const added = await change(bench, uuid, 'add');
  assert.deepEqual([added.status, added.json, (await bench.show(uuid)).task_state], [202, null, 'sg_adding']);
  await bench.runTasks();
  assert.deepEqual([(await bench.show(uuid)).security_groups, portGroups(bench)], [['sg-default', 'sg-web'], [['sg-default', 'sg-web']]]);
  assert.equal((await change(bench, uuid, 'remove')).status, 202);
  await bench.runTasks();
  const { security_groups, task_state } = await bench.show(uuid);
  assert.deepEqual([security_groups, task_state, portGroups(bench)], [['sg-default'], null, [['sg-default']]]);
});

test('what cannot be is refused at once, in the original’s words', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container({ security_groups: ['default'] });
  const sentences = [
    refusalOf(await change(bench, uuid, 'add', { name: 'default' }), 400, 'container.invalid-value'),
    refusalOf(await change(bench, uuid, 'add', { name: 'nope' }), 400, 'container.invalid-value'),
    refusalOf(await change(bench, uuid, 'remove'), 400, 'container.invalid-value'),
    refusalOf(await change(bench, uuid, 'add', {}), 400, 'container.schema-validation-error'),
  ];
  assert.deepEqual(sentences, [
    'Security group sg-default has been added to container.',
    'Security group nope not found.',
    'Security group sg-web was not added to container.',
    "'name' is a required property",
  ]);
});

test('networks without security groups say so', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  Object.assign(bench.networking, { setSecurityGroups: undefined });
  refusalOf(await change(bench, uuid, 'add'), 409, 'container.operation-not-supported');
});
