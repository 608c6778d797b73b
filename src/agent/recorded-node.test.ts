import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ManualClock, memoryDatabase } from '../../test/bench/task-bench.ts';
import { defaultPolicy } from '../../test/contract/default-policy.ts';
import { countedIds } from '../../test/contract/fixed-time.ts';
import { operationCaller } from '../../test/contract/operation-caller.ts';
import { defaultSettings } from '../config/settings.ts';
import { contractTables } from '../db/contract-tables.ts';
import { hostsOperations } from '../features/hosts/hosts-operations.ts';
import { LocalInventory } from '../local/inventory/local-inventory.ts';
import { nodeFacts } from '../runtime/docker/node-facts.ts';
import { silentLogger } from '../telemetry/logger.ts';
import { startAgent } from './agent.ts';

interface Step {
  scenario: string;
  step: number;
  response?: { json?: Record<string, unknown> };
}

const recorded = readFileSync('contract/recordings/original.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Step)
  .find(({ scenario, step }) => scenario === 'services-and-hosts' && step === 4)?.response?.json;
assert.ok(recorded);

/** What that node's Docker said of it, by the recording. */
const info = {
  Name: 'node',
  NCPU: Number(recorded.cpus),
  MemTotal: Number(recorded.mem_total) * 1024 ** 2,
  Containers: Number(recorded.total_containers),
  ContainersRunning: 7,
  ContainersPaused: 1,
  ContainersStopped: 29,
  Architecture: 'x86_64',
  OSType: 'linux',
  OperatingSystem: 'Debian GNU/Linux 12 (bookworm)',
  KernelVersion: '6.18.44-fc-v595',
  Labels: [],
  Runtimes: { 'io.containerd.runc.v2': {}, 'io.containerd.runtime.v1.linux': {}, runc: {} },
  Driver: 'overlay2',
  DriverStatus: [['Backing Filesystem', 'extfs']] as [string, string][],
  DockerRootDir: '/var/lib/docker',
};

/** Its disk, of which the original left a fifth to images: 201. */
const diskTotalGiB = 251;

async function reported() {
  const database = await memoryDatabase();
  const containers = [0.3, 0.3, 1] as const;
  for (const cpu of containers) {
    const memory = cpu === 1 ? '192' : '64';
    await database.queries.insertInto('container').values({ host: 'node', cpu, memory, disk: 0, container_type: 0 }).execute();
  }
  const agent = startAgent({
    database,
    runtime: { describeNode: async () => ({ ...(await nodeFacts(info, 'docker')), diskTotalGiB }) },
    inventory: new LocalInventory(database),
    clock: new ManualClock(),
    ids: countedIds(),
    logger: silentLogger,
    hostname: 'node',
    availabilityZone: 'nova',
    allocationRatios: { cpu: 64, memory: 1.5, disk: 1 },
    cpuPinning: false,
    imageDiskShare: defaultSettings('node').agent.imageDiskShare,
    machine: async () => ({ kernelVersion: info.KernelVersion, memoryAvailableMiB: 20_000, numaNodes: [] }),
    intervalSeconds: 60,
  });
  await agent.started;
  await agent.stop();
  return database;
}

test('the recorded node, reported by the agent, is shown as the original showed it, field by field', async () => {
  const database = await reported();
  const call = operationCaller(hostsOperations({ database, policy: defaultPolicy(), maxLimit: 1000 }));
  const { body } = await call('admin', 'GET /v1/hosts/node');
  const shown = body as Record<string, unknown>;
  assert.deepEqual(Object.keys(shown), Object.keys(recorded));
  for (const field of Object.keys(recorded))
    if (field !== 'uuid' && field !== 'links') assert.deepEqual(shown[field], recorded[field], field);
  await database.close();
});

test('its row has every column of the original’s, none without a value', async () => {
  const database = await reported();
  await database.queries.updateTable('compute_node').set({ updated_at: '2026-03-01 12:01:00' }).execute();
  const row: Record<string, unknown> = await database.queries.selectFrom('compute_node').selectAll().executeTakeFirstOrThrow();
  const table = new Map(contractTables()).get('compute_node');
  assert.ok(table);
  const empty = table.columns.map(({ name }) => name).filter((name) => row[name] === null || row[name] === undefined);
  assert.deepEqual(empty, []);
  const { running_containers, paused_containers, stopped_containers, mem_free, mem_available } = row;
  assert.deepEqual([running_containers, paused_containers, stopped_containers, mem_free, mem_available], [7, 1, 29, 24_105 - 320, 20_000]);
  await database.close();
});
