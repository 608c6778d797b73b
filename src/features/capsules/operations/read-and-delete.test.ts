import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CapsuleBench, nothing, templateOf } from '../../../../test/bench/capsule-bench.ts';
import { refusalOf } from '../../../../test/bench/container-bench.ts';

const named = (name: string) => templateOf({}, { metadata: { name } });

test('a capsule is found by uuid and by name, by its project and by admins, who see its host', async () => {
  const capsules = await CapsuleBench.open();
  const { uuid } = await capsules.ask(named('one'));
  for (const ident of [uuid, 'one']) assert.equal((await capsules.show(ident, { as: 'demo' })).uuid, uuid);
  assert.deepEqual([(await capsules.show('one', { as: 'demo' })).host, (await capsules.show('one')).host], [undefined, 'bench']);
  const hidden = await capsules.bench.request('GET', '/v1/capsules/one', { as: 'other' });
  assert.equal(refusalOf(hidden, 404, 'container.container-not-found'), 'Container one could not be found.');
});

test('a name that two capsules share is a 409', async () => {
  const capsules = await CapsuleBench.open();
  await capsules.ask(named('twin'));
  await capsules.ask(named('twin'));
  assert.match(refusalOf(await capsules.bench.request('GET', '/v1/capsules/twin'), 409, 'container.conflict'), /use the container uuid/);
});

test('a capsule and its containers are not to be had as containers', async () => {
  const capsules = await CapsuleBench.open();
  const { uuid, containers } = await capsules.make();
  for (const ident of [uuid, containers[0]?.uuid ?? '']) {
    refusalOf(await capsules.bench.request('GET', `/v1/containers/${ident}`), 404, 'container.container-not-found');
  }
  assert.deepEqual((await capsules.bench.request('GET', '/v1/containers')).json, { next: null, containers: [] });
});

test('lists go page by page, in the order they were made, and pass over parameters they do not know', async () => {
  const capsules = await CapsuleBench.open();
  for (const name of ['c1', 'c2', 'c3']) await capsules.ask(named(name));
  const page = async (query: Record<string, string>) => {
    const { status, json } = await capsules.bench.request('GET', '/v1/capsules', { query });
    assert.equal(status, 200);
    const { next, capsules: shown } = json as { next: string | null; capsules: { uuid: string; name: string }[] };
    return { next, names: shown.map(({ name }) => name), last: shown.at(-1)?.uuid ?? '' };
  };
  const first = await page({ limit: '2', foo: '1' });
  assert.deepEqual(first.names, ['c1', 'c2']);
  assert.equal(first.next, `http://localhost:80/v1/capsules?sort_key=id&sort_dir=asc&limit=2&marker=${first.last}`);
  assert.deepEqual((await page({ limit: '2', marker: first.last })).names, ['c3']);
  assert.deepEqual((await page({ sort_key: 'name', sort_dir: 'desc' })).names, ['c3', 'c2', 'c1']);
  const ask = (query: Record<string, string>) => capsules.bench.request('GET', '/v1/capsules', { query });
  refusalOf(await ask({ sort_key: 'bogus' }), 400, 'container.invalid-parameter-value');
  refusalOf(await ask({ marker: 'c0000000-0000-4000-8000-000000000001' }), 404, 'container.container-not-found');
  const container = await capsules.bench.container();
  refusalOf(await ask({ marker: container }), 404, 'container.container-not-found');
});

test('all projects are listed for an admin only, and asking for them is no offence', async () => {
  const capsules = await CapsuleBench.open();
  await capsules.ask(named('demos'));
  const names = async (as: 'demo' | 'other' | 'admin', all: boolean) => {
    const { json } = await capsules.bench.request('GET', '/v1/capsules', { as, query: all ? { all_projects: 'true' } : {} });
    return (json as { capsules: { name: string }[] }).capsules.map(({ name }) => name);
  };
  assert.deepEqual(
    [await names('demo', false), await names('other', true), await names('admin', false), await names('admin', true)],
    [['demos'], [], [], ['demos']],
  );
});

test('each capsule of a list has its own containers', async () => {
  const capsules = await CapsuleBench.open();
  for (const name of ['c1', 'c2', 'c3', 'c4']) await capsules.ask(named(name));
  const { json } = await capsules.bench.request('GET', '/v1/capsules');
  const shown = (json as { capsules: { name: string; containers: { name: string }[] }[] }).capsules;
  for (const { name, containers } of shown) assert.match(containers[0]?.name ?? '', new RegExp(`^capsule-${name}-`));
});

test('a delete in all projects is the admin’s; another project’s capsule is not there', async () => {
  const capsules = await CapsuleBench.open();
  const { uuid } = await capsules.make();
  const remove = (as: 'demo' | 'other' | 'admin', query: Record<string, string> = {}) =>
    capsules.bench.request('DELETE', `/v1/capsules/${uuid}`, { as, query });
  refusalOf(await remove('other'), 404, 'container.container-not-found');
  assert.match(
    refusalOf(await remove('demo', { all_projects: 'true' }), 403, 'container.policy-not-authorized'),
    /capsule:delete_all_projects/,
  );
  const answer = await remove('admin', { all_projects: 'true' });
  assert.deepEqual([answer.status, answer.json], [204, null]);
  await capsules.work();
  assert.deepEqual(await capsules.holdings(), nothing);
});

test('a capsule that is still being made is deleted too, and leaves nothing', async () => {
  const capsules = await CapsuleBench.open();
  const { uuid } = await capsules.ask(templateOf());
  await capsules.remove(uuid);
  assert.deepEqual(await capsules.holdings(), nothing);
});
