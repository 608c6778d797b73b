import type { FaultsWorld, Seen } from './faults-world.ts';

/** What a work is done to, or leaves: a container that has not run, runs, has been stopped, or has ended by itself at once; a capsule that runs. */
export type Thing = 'created container' | 'running container' | 'stopped container' | 'finished container' | 'capsule';

/** Work on a container or a capsule that something is killed in the middle of. */
export interface Work {
  /** `null`: nothing, it makes it. */
  needs: Thing | null;
  /** Asks for it; answers the uuid. A create has none before. */
  ask(world: FaultsWorld, uuid: string): Promise<string>;
  /** `null`: nothing is to be left. */
  leaves: Thing | null;
  /** How often processes are started by it. */
  starts: number;
  /** Its calls to the API server that are not as in the works before: `POST pods`. */
  own: RegExp;
}

const script = 'echo started >>/data/starts; trap "exit 0" TERM; while :; do sleep 1 & wait $!; done';
/** A command. */
export const endsAtOnce = 'echo started >>/data/starts';
const image = (world: FaultsWorld) => `${world.cluster.registry}/busybox:1`;
const own = { cpu: 0.1, memory: '32' };

/** With a volume that keeps what processes write, and a file. Only `run` starts it. */
export async function createContainer(world: FaultsWorld, { command = script, run = true } = {}): Promise<string> {
  const mounts = [
    { size: '1', destination: '/data' },
    { type: 'bind', source: Buffer.from('text\n').toString('base64'), destination: '/etc/file' },
  ];
  const body = { image: image(world), command: ['sh', '-c', command], ...own, mounts };
  return (await world.get<Seen>('POST', `/v1/containers?run=${run}`, body)).uuid;
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

const every = /./;
const none = /(?!)/;
/** From when on a process may have started. */
const ofTheStart = /^(POST pods|PATCH secrets)$/;

export const works = {
  create: { needs: null, ask: (world) => createContainer(world), leaves: 'running container', starts: 1, own: every },
  'create of what ends at once': {
    needs: null,
    ask: (world) => createContainer(world, { command: endsAtOnce }),
    leaves: 'finished container',
    starts: 1,
    own: ofTheStart,
  },
  // Its image is brought by a Pod of its own.
  'create alone': {
    needs: null,
    ask: (world) => createContainer(world, { run: false }),
    leaves: 'created container',
    starts: 0,
    own: none,
  },
  start: {
    needs: 'stopped container',
    ask: (world, uuid) => act(world, 'POST', uuid, '/start'),
    leaves: 'running container',
    starts: 1,
    own: every,
  },
  'start of what ends at once': {
    needs: 'finished container',
    ask: (world, uuid) => act(world, 'POST', uuid, '/start'),
    leaves: 'finished container',
    starts: 1,
    own: ofTheStart,
  },
  stop: {
    needs: 'running container',
    ask: (world, uuid) => act(world, 'POST', uuid, '/stop?timeout=2'),
    leaves: 'stopped container',
    starts: 0,
    own: every,
  },
  kill: {
    needs: 'running container',
    ask: (world, uuid) => act(world, 'POST', uuid, '/kill'),
    leaves: 'stopped container',
    starts: 0,
    own: every,
  },
  reboot: {
    needs: 'running container',
    ask: (world, uuid) => act(world, 'POST', uuid, '/reboot?timeout=2'),
    leaves: 'running container',
    starts: 1,
    own: every,
  },
  resize: {
    needs: 'running container',
    async ask(world, uuid) {
      const { cpu } = await world.get<{ cpu: number }>('GET', `/v1/containers/${uuid}`);
      await world.get('POST', `/v1/containers/${uuid}/resize_container`, { cpu: cpu === own.cpu ? 2 * own.cpu : own.cpu });
      return uuid;
    },
    leaves: 'running container',
    starts: 0,
    own: every,
  },
  // One way and the other in turn, so that others meet containers on one network and on two.
  'network attach or detach': {
    needs: 'running container',
    async ask(world, uuid) {
      const { addresses } = await world.get<{ addresses: object }>('GET', `/v1/containers/${uuid}`);
      const action = Object.keys(addresses).length > 1 ? 'network_detach' : 'network_attach';
      return await act(world, 'POST', uuid, `/${action}?network=${world.instance}`);
    },
    leaves: 'running container',
    starts: 0,
    own: /^PATCH|network-attachment-definitions/,
  },
  rebuild: {
    needs: 'running container',
    ask: (world, uuid) => act(world, 'POST', uuid, '/rebuild'),
    leaves: 'running container',
    starts: 1,
    own: /^(DELETE|POST pods)/,
  },
  delete: {
    needs: 'running container',
    ask: (world, uuid) => act(world, 'DELETE', uuid, '?stop=true'),
    leaves: null,
    starts: 0,
    own: every,
  },
  'capsule create': { needs: null, ask: (world) => createCapsule(world), leaves: 'capsule', starts: 1, own: /secrets|pods/ },
  'capsule delete': {
    needs: 'capsule',
    async ask(world, uuid) {
      await world.get('DELETE', `/v1/capsules/${uuid}`);
      return uuid;
    },
    leaves: null,
    starts: 0,
    own: /^DELETE (pods|secrets)/,
  },
} satisfies Record<string, Work>;

export type WorkName = keyof typeof works;
export const workNames = Object.keys(works) as WorkName[];
