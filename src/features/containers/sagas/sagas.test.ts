import assert from 'node:assert/strict';
import type { ContainerBench } from '../../../../test/bench/container-bench.ts';
import { sagaPromises } from '../../../../test/bench/saga-promises.ts';

/** What a container holds outside its row: its state in the engine, networks there, ports with their groups, claimed cpus. */
async function outside(bench: ContainerBench, uuid: string) {
  const observation = await bench.runtime.inspect(uuid);
  return {
    state: observation?.state.status ?? null,
    networks: Object.keys(observation?.addresses ?? {}),
    ports: [...bench.networking.ports.values()].map(({ networkId, securityGroups }) => [networkId, ...securityGroups]),
    vcpu: bench.scheduler.claims.get(uuid)?.vcpu,
  };
}

const running = { state: 'running', vcpu: 1 };
const networkIds = (bench: ContainerBench) => bench.networking.networks.map(({ id }) => id);

async function row(bench: ContainerBench, uuid: string) {
  const { status, task_state, addresses, cpu, security_groups, status_reason } = await bench.show(uuid);
  return { status, task_state, networks: Object.keys(addresses as object), cpu, security_groups, status_reason };
}

async function unchanged(bench: ContainerBench, uuid: string): Promise<void> {
  const [first] = networkIds(bench);
  const { status_reason, ...rest } = await row(bench, uuid);
  assert.deepEqual(rest, { status: 'Running', task_state: null, networks: [first], cpu: 1, security_groups: [] });
  assert.match(String(status_reason), /failed: Unexpected error/);
  assert.deepEqual(await outside(bench, uuid), { ...running, networks: ['engine-private'], ports: [[first]] });
}

sagaPromises(
  {
    kind: 'container.network_attach',
    async ask(bench) {
      const uuid = await bench.container();
      await bench.on(uuid, 'POST', 'network_attach', { query: { network: 'second' } });
      return uuid;
    },
    async succeeded(bench, uuid) {
      const [first, second] = networkIds(bench);
      const { status, task_state, networks } = await row(bench, uuid);
      assert.deepEqual([status, task_state, networks], ['Running', null, [first, second]]);
      assert.deepEqual(await outside(bench, uuid), {
        ...running,
        networks: ['engine-private', 'engine-second'],
        ports: [[first], [second]],
      });
    },
    failed: unchanged,
  },
  ['prepare port', 'connect'],
);

sagaPromises(
  {
    kind: 'container.network_detach',
    async ask(bench) {
      const uuid = await bench.container();
      await bench.on(uuid, 'POST', 'network_detach', { query: { network: 'private' } });
      return uuid;
    },
    async succeeded(bench, uuid) {
      const { status, task_state, networks } = await row(bench, uuid);
      assert.deepEqual([status, task_state, networks], ['Running', null, []]);
      assert.deepEqual(await outside(bench, uuid), { ...running, networks: [], ports: [] });
    },
    // While the port is there it is attached again, so that it can be asked again; a port that is gone is shown no more.
    async failed(bench, uuid) {
      const { status, task_state, networks } = await row(bench, uuid);
      const there = await outside(bench, uuid);
      assert.deepEqual([status, task_state, networks], ['Running', null, there.ports.map(([network]) => network)]);
      assert.equal(there.networks.length, networks.length);
    },
  },
  ['disconnect', 'release ports'],
);

sagaPromises(
  {
    kind: 'container.resize',
    async ask(bench) {
      const uuid = await bench.container();
      await bench.on(uuid, 'POST', 'resize_container', { json: { cpu: 3 } });
      return uuid;
    },
    async succeeded(bench, uuid) {
      const { status, cpu } = await row(bench, uuid);
      assert.deepEqual([status, cpu, (await outside(bench, uuid)).vcpu], ['Running', 3, 3]);
    },
    failed: unchanged,
  },
  ['claim resources', 'change limits', 'record limits'],
);

sagaPromises(
  {
    kind: 'container.add_security_group',
    async ask(bench) {
      const uuid = await bench.container();
      await bench.on(uuid, 'POST', 'add_security_group', { version: '1.14', query: { name: 'web' } });
      return uuid;
    },
    async succeeded(bench, uuid) {
      const [first] = networkIds(bench);
      assert.deepEqual((await row(bench, uuid)).security_groups, ['sg-web']);
      assert.deepEqual((await outside(bench, uuid)).ports, [[first, 'sg-web']]);
    },
    failed: unchanged,
  },
  ['set port groups'],
);

sagaPromises(
  {
    kind: 'container.commit',
    async ask(bench) {
      const uuid = await bench.container();
      await bench.on(uuid, 'POST', 'commit', { query: { repository: 'committed' } });
      return uuid;
    },
    async succeeded(bench, uuid) {
      assert.ok(await bench.images.find('committed:latest'));
      assert.equal((await row(bench, uuid)).status_reason, null);
    },
    failed: unchanged,
  },
  ['commit'],
);

sagaPromises(
  {
    kind: 'container.rebuild',
    async ask(bench) {
      const uuid = await bench.container();
      await bench.on(uuid, 'POST', 'rebuild', { query: { image: 'nginx' } });
      return uuid;
    },
    async succeeded(bench, uuid) {
      const [first] = networkIds(bench);
      const { status, task_state, networks } = await row(bench, uuid);
      assert.deepEqual([status, task_state, networks, (await bench.show(uuid)).image], ['Running', null, [first], 'nginx']);
      assert.deepEqual(await outside(bench, uuid), { ...running, networks: ['engine-private'], ports: [[first]] });
    },
    // Whatever failed, the port and the claim are kept, and a rebuild makes it whole again.
    async failed(bench, uuid) {
      const [first] = networkIds(bench);
      const { status, task_state, networks, status_reason } = await row(bench, uuid);
      assert.deepEqual([status, task_state, networks], ['Error', null, [first]]);
      assert.match(String(status_reason), /^Unexpected error/);
      const { ports, vcpu } = await outside(bench, uuid);
      assert.deepEqual([ports, vcpu], [[[first]], 1]);
    },
  },
  [
    'hold claim',
    'attach volumes',
    'pull image',
    'remove old workload',
    'prepare ports',
    'create workload',
    'record workload',
    'start workload',
  ],
);
