import { VALID_STATES } from '../../src/rules/valid-states.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Method } from './simulated-process.ts';
import type { World } from './world.ts';

/** A container or capsule that a request may be about. */
interface Target {
  uuid: string;
  project: string;
  isCapsule: boolean;
  status: string;
}

interface Request {
  as: string;
  method: Method;
  path: string;
  json?: unknown;
}

const projects = ['blue', 'green', 'red'];

/** How often each kind of request is made. Those named like an action are made to a container, mostly one whose state allows it. */
const weights = {
  create: 16,
  'create capsule': 5,
  'delete capsule': 4,
  start: 8,
  stop: 8,
  kill: 4,
  pause: 5,
  unpause: 6,
  reboot: 4,
  rebuild: 5,
  delete: 4,
  delete_after_stop: 3,
  delete_force: 6,
  update: 5,
  resize_container: 2,
  'attach network': 4,
  'detach network': 4,
  commit: 1,
  logs: 1,
  execute: 1,
  'pull image': 2,
  'set quota': 2,
};

/** Bodies a container may be made of: what ends by itself, what ends when asked, what must be killed, what has volumes and ports. */
const bodies = [
  { command: ['sleep', '100000'] },
  { command: ['sh', '-c', "trap 'exit 0' TERM; sleep 100000"] },
  { command: ['sh', '-c', 'sleep 20; exit 3'] },
  { command: ['sh', '-c', 'sleep 30; exit 1'], restart_policy: { Name: 'on-failure', MaximumRetryCount: '2' } },
  { command: ['sleep', '15'], auto_remove: true },
  { command: ['sleep', '100000'], auto_heal: true },
  { command: ['sleep', '100000'], mounts: [{ size: '1', destination: '/data' }] },
  {
    command: ['sleep', '100000'],
    mounts: [{ source: 'existing', destination: '/old' }],
    nets: [{ network: 'zun' }, { network: 'second' }],
  },
  { command: ['sleep', '100000'], nets: [{ network: 'second' }] },
  { command: ['nowhere-to-be-found'] },
  { image: 'missing', command: ['sleep', '1'] },
];

/** What clients ask for, by seed. */
export class Traffic {
  readonly #world: World;
  readonly #random: SeededRandom;
  /** Requests that nobody has answered yet. */
  waiting = 0;

  constructor(world: World) {
    this.#world = world;
    this.#random = world.random.fork('traffic');
  }

  /** Makes one request of some API, and does not wait for the answer. */
  async one(): Promise<void> {
    const { processes } = this.#world;
    const apis = [...processes.values()].filter(({ parts, isAlive }) => parts.roles.has('api') && isAlive);
    const api = this.#random.pick(apis);
    const request = this.#request(this.#random.weighted(weights), await this.#targets());
    if (!api || !request) return;
    const { as, method, path, json } = request;
    this.waiting += 1;
    const died = () => {
      this.waiting -= 1;
    };
    const callOff = api.parts.life.onDeath(died);
    void api.request(as, method, path, json).then(({ status, body }) => {
      callOff();
      this.waiting -= 1;
      const uuid = (body as { uuid?: string } | null)?.uuid;
      this.#world.tell(`${api.parts.name} ${as} ${method} ${path} -> ${status}${status === 202 && uuid ? ` ${uuid.slice(0, 8)}` : ''}`);
    });
  }

  async #targets(): Promise<Target[]> {
    const rows = await this.#world.observer.queries
      .selectFrom('container')
      .select(['uuid', 'project_id', 'container_type', 'status'])
      .where('container_type', 'in', [0, 1])
      .orderBy('id')
      .execute();
    return rows.map((row) => ({
      uuid: row.uuid ?? '',
      project: row.project_id ?? '',
      isCapsule: row.container_type === 1,
      status: row.status ?? '',
    }));
  }

  #request(kind: keyof typeof weights, all: Target[]): Request | null {
    const random = this.#random;
    const project = random.pick(projects) ?? '';
    if (kind === 'create') return this.#create(project);
    if (kind === 'create capsule') return { as: project, method: 'POST', path: '/v1/capsules', json: { template: this.#template() } };
    if (kind === 'pull image') {
      const json = { repo: random.pick(['busybox', 'nginx', 'missing']), host: random.pick(this.#world.cluster.nodes)?.name };
      return { as: 'admin', method: 'POST', path: '/v1/images/', json };
    }
    if (kind === 'set quota') {
      const json = { containers: random.between(1, 12), cpu: random.between(2, 12), memory: random.between(1, 8) * 512 };
      return { as: 'admin', method: 'PUT', path: `/v1/quotas/${project}`, json };
    }
    if (kind === 'delete capsule') {
      const capsule = random.pick(all.filter(({ isCapsule }) => isCapsule));
      return capsule ? { as: capsule.project, method: 'DELETE', path: `/v1/capsules/${capsule.uuid}` } : null;
    }
    const containers = all.filter(({ isCapsule }) => !isCapsule);
    const allowed = VALID_STATES[kind as keyof typeof VALID_STATES] as readonly string[] | undefined;
    const fitting = containers.filter(({ status }) => allowed?.includes(status) ?? true);
    const target = random.pick(fitting.length > 0 && random.chance(0.9) ? fitting : containers);
    return target ? this.#about(kind, target) : null;
  }

  #about(kind: keyof typeof weights, { uuid, project: as }: Target): Request {
    const random = this.#random;
    const path = `/v1/containers/${uuid}`;
    const post = (action: string): Request => ({ as, method: 'POST', path: `${path}/${action}` });
    switch (kind) {
      case 'delete':
        return { as, method: 'DELETE', path };
      case 'delete_after_stop':
        return { as, method: 'DELETE', path: `${path}?stop=true` };
      case 'delete_force':
        return { as: 'admin', method: 'DELETE', path: `${path}?force=true&all_projects=true` };
      case 'update':
        return { as, method: 'PATCH', path, json: { cpu: random.between(1, 3), memory: String(random.between(1, 4) * 64) } };
      case 'resize_container':
        return { ...post('resize_container'), json: { cpu: random.between(1, 3), memory: String(random.between(1, 4) * 64) } };
      case 'attach network':
        return { ...post('network_attach'), json: { network: random.pick(['zun', 'second']) } };
      case 'detach network':
        return { ...post('network_detach'), json: { network: random.pick(['zun', 'second']) } };
      case 'rebuild':
        return random.chance(0.5) ? post('rebuild') : { ...post('rebuild'), json: { image: random.pick(['nginx', 'busybox', 'missing']) } };
      case 'kill':
        return post(`kill?signal=${random.pick(['SIGKILL', 'SIGTERM', 'SIGUSR1'])}`);
      case 'stop':
      case 'reboot':
        return post(`${kind}?timeout=${random.between(0, 10)}`);
      case 'commit':
        return post(`commit?repository=made-${uuid.slice(0, 4)}&tag=t${random.below(3)}`);
      case 'logs':
        return { as, method: 'GET', path: `${path}/logs` };
      case 'execute':
        return post('execute?command=true');
      default:
        return post(kind);
    }
  }

  #create(as: string): Request {
    const random = this.#random;
    const json = { image: 'busybox', cpu: random.between(1, 2), memory: String(random.between(1, 4) * 64), ...random.pick(bodies) };
    return { as, method: 'POST', path: `/v1/containers?run=${random.chance(0.7)}`, json };
  }

  #template(): unknown {
    const random = this.#random;
    const member = () => ({
      image: random.chance(0.9) ? 'busybox' : 'missing',
      command: random.chance(0.7) ? ['sleep', '100000'] : ['sleep', '30'],
      resources: { requests: { cpu: 1, memory: 64 } },
    });
    const initContainers = random.chance(0.4) ? { initContainers: [{ image: 'busybox', command: ['sleep', '5'] }] } : {};
    const spec = { containers: random.chance(0.5) ? [member()] : [member(), member()], ...initContainers };
    return { kind: 'capsule', capsuleVersion: 'beta', metadata: { name: `cap-${random.below(1000)}` }, spec };
  }
}
