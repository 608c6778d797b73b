import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchAnswer, ContainerBench } from '../../bench/container-bench.ts';

/** What a life shows at one of its moments: rows, without what differs from run to run. */
export type Moment = Record<string, unknown[]>;

/** A container from its create to its delete, through every operation that writes. */
export async function containerLife(bench: ContainerBench): Promise<Moment[]> {
  const moments: Moment[] = [];
  const created = await bench.request('POST', '/v1/containers', {
    query: { run: 'true' },
    json: {
      ...{ name: 'life', image: 'busybox', command: ['sleep', '1000'], cpu: 1, memory: '64' },
      mounts: [{ size: '1', destination: '/data' }],
    },
  });
  assert.equal(created.status, 202, JSON.stringify(created.json));
  const { uuid } = created.json as { uuid: string };
  const look = async () => moments.push(await moment(bench));
  const does = async (asked: Promise<BenchAnswer>, status: number) => {
    const answer = await asked;
    assert.equal(answer.status, status, JSON.stringify(answer.json));
    await bench.runTasks();
    await look();
  };
  await look();
  await bench.runTasks();
  await look();
  await does(bench.request('PATCH', `/v1/containers/${uuid}`, { json: { cpu: 0.5, memory: '128' } }), 200);
  await does(bench.request('PATCH', `/v1/containers/${uuid}`, { json: { name: 'renamed' } }), 200);
  await does(bench.on(uuid, 'POST', 'add_security_group', { version: '1.14', json: { name: 'web' } }), 202);
  await does(bench.on(uuid, 'POST', 'network_attach', { query: { network: 'second' } }), 200);
  await does(bench.on(uuid, 'POST', 'network_detach', { query: { network: 'second' } }), 202);
  await does(bench.on(uuid, 'POST', 'commit', { query: { repository: 'kept', tag: 'v1' } }), 202);
  await does(bench.on(uuid, 'POST', 'rebuild', { query: { image: 'nginx' } }), 202);
  await does(bench.on(uuid, 'POST', 'pause'), 202);
  await does(bench.on(uuid, 'POST', 'unpause'), 202);
  await does(bench.on(uuid, 'POST', 'stop', { query: { timeout: '0' } }), 202);
  await does(bench.on(uuid, 'POST', 'start'), 202);
  await does(bench.request('DELETE', `/v1/containers/${uuid}`, { as: 'admin', query: { force: 'true' } }), 204);
  return moments;
}

/** A capsule of two containers and a volume, from its create to its delete. */
export async function capsuleLife(bench: ContainerBench): Promise<Moment[]> {
  const containers = [
    { image: 'busybox', command: ['sleep', '1000'], name: 'one', volumeMounts: [{ name: 'vol', mountPath: '/data' }] },
    { image: 'nginx', command: ['sleep', '1000'], name: 'two' },
  ];
  const volumes = [{ name: 'vol', cinder: { size: 1, autoRemove: true } }];
  const template = { kind: 'capsule', capsuleVersion: 'beta', metadata: { name: 'cap' }, spec: { containers, volumes } };
  const created = await bench.request('POST', '/v1/capsules', { json: { template } });
  assert.equal(created.status, 202, JSON.stringify(created.json));
  const moments = [await moment(bench)];
  await work(bench);
  moments.push(await moment(bench));
  const { uuid } = created.json as { uuid: string };
  assert.equal((await bench.request('DELETE', `/v1/capsules/${uuid}`)).status, 204);
  await work(bench);
  moments.push(await moment(bench));
  return moments;
}

/** Runs the queued tasks while the bench's clock goes a hundred times as fast as the machine's: slow enough for a lease of 30 s. */
async function work(bench: ContainerBench): Promise<void> {
  let ended = false;
  const running = bench.runTasks().finally(() => {
    ended = true;
  });
  while (!ended) {
    await pause(5);
    await bench.clock.advance(500);
  }
  await running;
}

const tables = [
  'container',
  'container_actions',
  'container_actions_events',
  'volume',
  'volume_mapping',
  'image',
  'openkeel_task',
] as const;

/** All rows of a bench; uuids, keys and addresses are told apart by whether they are there. */
async function moment({ services }: ContainerBench): Promise<Moment> {
  const found: Moment = {};
  for (const table of tables) {
    const rows = await services.database.queries.selectFrom(table).selectAll().orderBy('id').execute();
    found[table] = rows.map((row) =>
      JSON.parse(JSON.stringify(row, (key, value) => (changing.test(key) && value !== null ? key : plain(value)))),
    );
  }
  return found;
}

const changing = /^(id|uuid|.*_id|.*_uuid|.*_at|.*_time|deadline|host|name|addresses|payload|progress|hostname)$/;

const plain = (value: unknown) =>
  typeof value === 'string'
    ? value
        .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uuid>')
        .replace(/[0-9a-f]{32,}/g, '<hex>')
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    : value;
