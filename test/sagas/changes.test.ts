import assert from 'node:assert/strict';
import type { LocalBench } from '../bench/local-bench.ts';
import { sagaContract } from '../bench/saga-contract.ts';
import { containerWith, little } from './containers.ts';

/** A failure of these leaves the container what it was, with the reason shown. */
async function unchanged(bench: LocalBench, uuid: string): Promise<void> {
  const row = await bench.ask('GET', `/v1/containers/${uuid}`);
  assert.deepEqual([row.status, row.cpu, row.memory], ['Running', 1, '64']);
  assert.match(String(row.status_reason), /failed/);
}

async function networksOf(bench: LocalBench, uuid: string): Promise<number> {
  return Object.keys((await bench.ask('GET', `/v1/containers/${uuid}`)).addresses as object).length;
}

sagaContract({
  name: 'container.network_attach',
  kind: 'container.network_attach',
  prepare: (bench) => containerWith(bench, little),
  async ask(bench, uuid) {
    await bench.ask('POST', `/v1/containers/${uuid}/network_attach?network=second`);
    return uuid;
  },
  async succeeded(bench, uuid) {
    assert.equal(await networksOf(bench, uuid), 2);
  },
  async failed(bench, uuid) {
    await unchanged(bench, uuid);
    assert.equal(await networksOf(bench, uuid), 1);
  },
});

sagaContract({
  name: 'container.network_detach',
  kind: 'container.network_detach',
  prepare: (bench) => containerWith(bench, { ...little, nets: [{ network: 'zun' }, { network: 'second' }] }),
  async ask(bench, uuid) {
    await bench.ask('POST', `/v1/containers/${uuid}/network_detach?network=second`);
    return uuid;
  },
  async succeeded(bench, uuid) {
    assert.equal(await networksOf(bench, uuid), 1);
  },
  failed: unchanged,
});

sagaContract({
  name: 'container.resize',
  kind: 'container.resize',
  prepare: (bench) => containerWith(bench, little),
  async ask(bench, uuid) {
    await bench.ask('POST', `/v1/containers/${uuid}/resize_container`, { cpu: 2, memory: '128' });
    return uuid;
  },
  async succeeded(bench, uuid) {
    const row = await bench.ask('GET', `/v1/containers/${uuid}`);
    assert.deepEqual([row.cpu, row.memory], [2, '128']);
  },
  failed: unchanged,
});

sagaContract({
  name: 'container.commit',
  kind: 'container.commit',
  prepare: (bench) => containerWith(bench, little),
  async ask(bench, uuid) {
    await bench.ask('POST', `/v1/containers/${uuid}/commit?repository=committed&tag=1`);
    return uuid;
  },
  async succeeded(bench) {
    const rows = await bench.database.queries.selectFrom('image').select('image_id').where('repo', '=', 'committed').execute();
    assert.equal(rows.length, 1);
    assert.match(String(rows[0]?.image_id), /^sha256:/);
  },
  failed: unchanged,
});

for (const action of ['add_security_group', 'remove_security_group']) {
  sagaContract({
    name: `container.${action}`,
    kind: `container.${action}`,
    prepare: (bench) => containerWith(bench, action === 'add_security_group' ? little : { ...little, security_groups: ['default'] }),
    async ask(bench, uuid) {
      await bench.ask('POST', `/v1/containers/${uuid}/${action}?name=default`, undefined, '1.14');
      return uuid;
    },
    async succeeded(bench, uuid) {
      const groups = (await bench.ask('GET', `/v1/containers/${uuid}`)).security_groups as string[];
      assert.equal(groups.length, action === 'add_security_group' ? 1 : 0);
    },
    failed: unchanged,
  });
}
