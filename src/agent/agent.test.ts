import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { StandingClock } from '../../test/bench/standing-clock.ts';
import { memoryDatabase } from '../../test/bench/task-bench.ts';
import { defaultPolicy } from '../../test/contract/default-policy.ts';
import { countedIds } from '../../test/contract/fixed-time.ts';
import { operationCaller } from '../../test/contract/operation-caller.ts';
import type { Database } from '../db/database.ts';
import { findComputeNodes } from '../features/hosts/compute-node-store.ts';
import { hostsOperations } from '../features/hosts/hosts-operations.ts';
import { findService } from '../features/services/service-store.ts';
import { LocalInventory } from '../local/inventory/local-inventory.ts';
import type { NodeFacts } from '../runtime/container-runtime.ts';
import { RuntimeFault } from '../runtime/runtime-fault.ts';
import { databaseHostSource } from '../scheduling/host-source.ts';
import type { Inventory } from '../scheduling/inventory.ts';
import { silentLogger } from '../telemetry/logger.ts';
import { type AgentOptions, startAgent } from './agent.ts';

const facts: NodeFacts = {
  hostname: 'engine-says',
  cpus: 4,
  memoryTotalMiB: 8000,
  diskTotalGiB: 100,
  diskUsedGiB: 1,
  diskQuotaSupported: false,
  architecture: 'x86_64',
  osType: 'linux',
  os: 'Debian',
  kernelVersion: '6.1',
  labels: { disk: 'ssd' },
  runtimes: ['runc'],
  containers: { total: 3, running: 2, paused: 0, stopped: 1 },
};

/** Tries again until it holds, for at most five seconds. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = AbortSignal.timeout(5000);
  while (!(await holds())) deadline.throwIfAborted();
}

describe('the agent', () => {
  let database: Database;
  let inventory: LocalInventory;
  let engine: () => NodeFacts;
  const clock = new StandingClock();

  beforeEach(async () => {
    await database?.close();
    database = await memoryDatabase();
    inventory = new LocalInventory(database);
    engine = () => facts;
  });
  after(() => database.close());

  const start = (more: Partial<AgentOptions> = {}) =>
    startAgent({
      database,
      runtime: { describeNode: async () => engine() },
      inventory,
      clock,
      ids: countedIds(),
      logger: silentLogger,
      hostname: 'node',
      availabilityZone: 'nova',
      allocationRatios: { cpu: 2, memory: 1, disk: 1 },
      cpuPinning: false,
      intervalSeconds: 60,
      ...more,
    });
  const request = { vcpu: 4, memoryMb: 8000, diskGb: 100, host: 'node' };

  test('reports its service, its figures with what containers were promised, and its inventory', async () => {
    for (const [cpu, memory, type] of [
      [0.1, '512', 0],
      [0.2, '256', 1],
      [5, '5', 2],
    ] as const) {
      await database.queries.insertInto('container').values({ host: 'node', cpu, memory, disk: 2, container_type: type }).execute();
    }
    const agent = start();
    await agent.started;
    assert.equal((await findService(database.queries, 'node', 'zun-compute'))?.report_count, 1);
    const call = operationCaller(hostsOperations({ database, policy: defaultPolicy(), maxLimit: 1000 }));
    const shown = await call('admin', 'GET /v1/hosts/node');
    const uuid = 'f0000000-0000-4000-8000-000000000001';
    assert.deepEqual(shown.body, {
      uuid,
      links: [
        { href: `http://h:1/v1/hosts/${uuid}`, rel: 'self' },
        { href: `http://h:1/hosts/${uuid}`, rel: 'bookmark' },
      ],
      hostname: 'node',
      mem_total: 8000,
      mem_used: 768,
      total_containers: 3,
      cpus: 4,
      cpu_used: 0.3,
      architecture: 'x86_64',
      os_type: 'linux',
      os: 'Debian',
      kernel_version: '6.1',
      labels: { disk: 'ssd' },
      disk_total: 100,
      disk_used: 4,
      disk_quota_supported: false,
      runtimes: ['runc'],
      enable_cpu_pinning: false,
    });
    assert.deepEqual((await call('admin', `GET /v1/hosts/${uuid}`)).body, shown.body);
    assert.equal((await call('admin', 'GET /v1/hosts/nowhere')).status, 404);
    assert.equal((await call('demo', 'GET /v1/hosts')).status, 403);
    const list = (await call('admin', 'GET /v1/hosts?limit=1')).body as { next: string; hosts: unknown[] };
    assert.deepEqual(list.hosts, [shown.body]);
    assert.equal(list.next, `http://h:1/v1/hosts?sort_key=hostname&sort_dir=asc&limit=1&marker=${uuid}`);
    assert.equal((await inventory.candidates(request)).length, 1);
    await agent.stop();
  });

  test('goes on with its heartbeat while the engine does not answer, and its last figures stand after a restart too', async () => {
    const agent = start();
    await agent.started;
    engine = () => {
      throw new RuntimeFault('unreachable', 'no engine');
    };
    await agent.report();
    assert.equal((await findService(database.queries, 'node', 'zun-compute'))?.report_count, 2);
    await agent.stop();
    inventory = new LocalInventory(database);
    const again = start();
    await again.started;
    assert.equal((await inventory.candidates(request)).length, 1);
    await again.stop();
  });

  test('reports again at every interval, and not after it was stopped', async () => {
    const agent = start();
    await agent.started;
    const count = async () => (await findService(database.queries, 'node', 'zun-compute'))?.report_count;
    await until(async () => {
      await clock.advance(60_000);
      return ((await count()) ?? 0) >= 3;
    });
    await agent.stop();
    const last = await count();
    await clock.advance(180_000);
    assert.equal(await count(), last);
  });

  test('starts without an engine, and offers the node once it answers', async () => {
    engine = () => {
      throw new RuntimeFault('unreachable', 'no engine');
    };
    const agent = start();
    await agent.started;
    assert.deepEqual(await inventory.candidates(request), []);
    engine = () => facts;
    await agent.report();
    assert.equal((await inventory.candidates(request)).length, 1);
    await agent.stop();
  });

  test('gives a sign of life every minute, though an engine, a Placement and the pace of its figures are slower', async () => {
    const slow = { describeNode: (signal?: AbortSignal) => clock.sleep(19_000, signal).then(() => facts) };
    const late: Inventory = Object.assign(Object.create(inventory), { report: () => clock.sleep(100_000) });
    const agent = start({ runtime: slow, inventory: late, intervalSeconds: 150 });
    const seen: number[] = [];
    for (let second = 0; second < 600; second += 1) {
      await clock.advance(1_000);
      const count = (await findService(database.queries, 'node', 'zun-compute'))?.report_count ?? 0;
      if (count !== seen.length) seen.push(second);
    }
    const gaps = seen.slice(1).map((at, index) => at - (seen[index] ?? 0));
    // The first report is whole: figures and inventory are there when it is done.
    assert.ok(
      gaps.slice(1).every((gap) => gap <= 61),
      gaps.join(', '),
    );
    assert.ok(gaps.length >= 8, gaps.join(', '));
    const stopped = agent.stop();
    await clock.advance(100_000);
    await stopped;
  });

  test('tells what the machine tells where the engine speaks of the same, and nothing where it speaks of another', async () => {
    const machine = async () => ({
      kernelVersion: '6.1',
      memoryAvailableMiB: 5000,
      numaNodes: [
        { id: 0, cpus: [0, 1], memoryMiB: 4000 },
        { id: 1, cpus: [2, 3], memoryMiB: 4000 },
      ],
    });
    const row = async () => (await findComputeNodes(database.queries, { hostname: 'node' }))[0];
    let agent = start({ machine });
    await agent.started;
    assert.deepEqual(JSON.parse((await row())?.numa_topology ?? ''), {
      nodes: [
        { id: 0, cpuset: [0, 1], pinned_cpus: [], mem_total: 4000, mem_available: 4000 },
        { id: 1, cpuset: [2, 3], pinned_cpus: [], mem_total: 4000, mem_available: 4000 },
      ],
    });
    assert.equal((await row())?.mem_available, 5000);
    const [host] = await databaseHostSource(database.queries)([(await row())?.rp_uuid ?? '']);
    assert.deepEqual(host?.numaNodes[1], { id: 1, cpuset: [2, 3], pinnedCpus: [], memAvailable: 4000 });
    await agent.stop();
    engine = () => ({ ...facts, kernelVersion: '6.6-linuxkit' });
    agent = start({ machine });
    await agent.started;
    assert.deepEqual(JSON.parse((await row())?.numa_topology ?? ''), { nodes: [] });
    await agent.stop();
  });

  test('a node that has an identity of its own is known by it, and keeps that as its provider', async () => {
    engine = () => ({ ...facts, uid: 'a0000000-0000-4000-8000-000000000001' });
    const agent = start();
    await agent.started;
    const [row] = await findComputeNodes(database.queries, { hostname: 'node' });
    assert.deepEqual([row?.uuid, row?.rp_uuid], [engine().uid, engine().uid]);
    await agent.stop();
  });
});
