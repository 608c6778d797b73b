import assert from 'node:assert/strict';
import { until } from '../../system/engine/until.ts';
import { startsOf } from './agreement.ts';
import type { FaultsWorld, Seen } from './faults-world.ts';

/** Work on a container or a capsule that something is killed in the middle of. */
export interface Work {
  /** What has to be there before: a container or capsule that runs, one that has been stopped; `null` for nothing. */
  needs: 'container' | 'stopped container' | 'capsule' | 'finished container' | null;
  /** Asks for it; answers the uuid. A create has none before. */
  ask(world: FaultsWorld, uuid: string): Promise<string>;
  /** The status that is shown when it is done; `null` when nothing is to be left. */
  leaves: string | null;
  /** How often processes are started by it. */
  starts: number;
}

const script = 'echo started >>/data/starts; trap "exit 0" TERM; while :; do sleep 1 & wait $!; done';
const image = (world: FaultsWorld) => `${world.cluster.registry}/busybox:1`;
const own = { cpu: 0.1, memory: '32' };

/** With a volume that keeps what processes write, and a file. */
export async function createContainer(world: FaultsWorld, command = script, rest: object = {}): Promise<string> {
  const mounts = [
    { size: '1', destination: '/data' },
    { type: 'bind', source: Buffer.from('text\n').toString('base64'), destination: '/etc/file' },
  ];
  const body = { image: image(world), command: ['sh', '-c', command], ...own, mounts, ...rest };
  return (await world.get<Seen>('POST', '/v1/containers?run=true', body)).uuid;
}

/** One container, with a volume. */
export async function createCapsule(world: FaultsWorld): Promise<string> {
  const container = {
    image: image(world),
    command: ['sh', '-c', script],
    resources: { requests: own },
    volumeMounts: [{ name: 'data', mountPath: '/data' }],
  };
  const spec = { containers: [container], volumes: [{ name: 'data', cinder: { size: 1, autoRemove: true } }] };
  const template = { kind: 'capsule', capsuleVersion: 'beta', metadata: { name: 'capsule' }, spec };
  return (await world.get<Seen>('POST', '/v1/capsules', { template })).uuid;
}

/** Asks for an action of a container. */
export async function act(world: FaultsWorld, method: string, uuid: string, rest: string): Promise<string> {
  await world.get(method, `/v1/containers/${uuid}${rest}`);
  return uuid;
}

export const works = {
  create: { needs: null, ask: (world) => createContainer(world), leaves: 'Running', starts: 1 },
  'create of what ends at once': {
    needs: null,
    ask: (world) => createContainer(world, 'echo started >>/data/starts'),
    leaves: 'Stopped',
    starts: 1,
  },
  start: { needs: 'stopped container', ask: (world, uuid) => act(world, 'POST', uuid, '/start'), leaves: 'Running', starts: 1 },
  'start of what ends at once': {
    needs: 'finished container',
    ask: (world, uuid) => act(world, 'POST', uuid, '/start'),
    leaves: 'Stopped',
    starts: 1,
  },
  stop: { needs: 'container', ask: (world, uuid) => act(world, 'POST', uuid, '/stop?timeout=2'), leaves: 'Stopped', starts: 0 },
  rebuild: { needs: 'container', ask: (world, uuid) => act(world, 'POST', uuid, '/rebuild'), leaves: 'Running', starts: 1 },
  delete: { needs: 'container', ask: (world, uuid) => act(world, 'DELETE', uuid, '?stop=true'), leaves: null, starts: 0 },
  'capsule create': { needs: null, ask: (world) => createCapsule(world), leaves: 'Running', starts: 1 },
  'capsule delete': {
    needs: 'capsule',
    async ask(world, uuid) {
      await world.get('DELETE', `/v1/capsules/${uuid}`);
      return uuid;
    },
    leaves: null,
    starts: 0,
  },
} satisfies Record<string, Work>;

export type WorkName = keyof typeof works;
export const workNames = Object.keys(works) as WorkName[];

/** Makes what the works need, in their order; `''` for those that need nothing. Nothing is under way afterwards, and no fault. */
export async function prepared(world: FaultsWorld, names: readonly WorkName[]): Promise<string[]> {
  world.gate.heal();
  const uuids: string[] = [];
  for (const name of names) uuids.push(await made(world, works[name].needs));
  await world.settled();
  const stopped = names.flatMap((name, index) => (works[name].needs === 'stopped container' ? [uuids[index] ?? ''] : []));
  for (const uuid of stopped) {
    await world.shows(uuid, ({ status }) => status === 'Running');
    await act(world, 'POST', uuid, '/stop?timeout=2');
  }
  await world.settled();
  const expected = { container: 'Running', capsule: 'Running', 'stopped container': 'Stopped', 'finished container': 'Stopped' };
  for (const [index, name] of names.entries()) {
    const { needs } = works[name];
    if (needs !== null) await world.shows(uuids[index] ?? '', ({ status }) => status === expected[needs]);
  }
  return uuids;
}

function made(world: FaultsWorld, needs: Work['needs']): Promise<string> {
  if (needs === null) return Promise.resolve('');
  if (needs === 'capsule') return createCapsule(world);
  return createContainer(world, needs === 'finished container' ? 'echo started >>/data/starts' : script);
}

/** Holds what is shown, and how often processes were started in all, against what the work should have done. */
export async function assertDone(world: FaultsWorld, name: WorkName, uuid: string): Promise<void> {
  const { leaves, starts, needs }: Work = works[name];
  if (leaves === null) {
    assert.equal(await world.show(uuid), null, `${name} of ${uuid}\n${world.log}`);
    return;
  }
  await world.shows(uuid, ({ status, task_state = null }) => status === leaves && task_state === null);
  const expected = starts + (needs === null ? 0 : 1);
  // What runs may not have come to write yet.
  await until('the process has written', async () => ((await startsOf(world, uuid)) >= expected ? true : null)).catch(() => {});
  assert.equal(await startsOf(world, uuid), expected, `${name} of ${uuid}: processes started\n${world.log}`);
}

/** Has what the work has left taken away; does not wait for it. */
export async function removed(world: FaultsWorld, name: WorkName, uuid: string): Promise<void> {
  const { leaves }: Work = works[name];
  if (leaves === null) return;
  if (name.startsWith('capsule')) await world.get('DELETE', `/v1/capsules/${uuid}`);
  else await act(world, 'DELETE', uuid, '?stop=true');
}
