import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { LocalAdapters } from '../../../src/programs/local-adapters.ts';
import type { WorkloadSpec } from '../../../src/runtime/container-runtime.ts';
import { plainWorkload } from '../../../src/runtime/plain-workload.ts';
import { until } from '../../system/engine/until.ts';
import { ChartAccounts, type Program } from './chart-accounts.ts';
import { releaseNamespace } from './rendered-chart.ts';

/** The one runs what it is given, nobody plays the kubelet of the other. */
const [node, silent] = ['fake1', 'silent'];
const projectId = 'a'.repeat(32);
const login = { policy: 'always' as const, credentials: { username: 'me', password: 'it' } };
const file = { kind: 'content' as const, content: Buffer.from('x'), destination: '/x' };

let accounts: ChartAccounts;

/** Values, by what they give. */
const variants: Record<string, object> = {
  'without access to nodes': {},
  'with agents that have the socket': { agent: { containerdSocket: '/run/containerd/containerd.sock' } },
};

const agent = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'zun-compute-agent-x1',
    namespace: releaseNamespace,
    labels: { 'app.kubernetes.io/name': 'zun-compute-agent', 'app.kubernetes.io/instance': 'zun' },
  },
  spec: { nodeName: node, containers: [{ name: 'zun-compute-agent', image: 'any' }] },
};

/** A cluster whose node runs what it is given, and an agent. */
async function install(values: object): Promise<void> {
  accounts = await ChartAccounts.install({ config: { kubernetes: { defaultRuntimeClass: '' } }, ...values });
  const { cluster } = accounts;
  await cluster.startKwok(node);
  const room = { cpu: '32', memory: '256Gi', pods: '110' };
  await cluster.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name: silent }, status: { allocatable: room, capacity: room } });
  await cluster.kubectl('taint', 'node', node, 'kwok.x-k8s.io/node-');
  // Is a controller's to take away, which does not run here.
  await cluster.kubectl('taint', 'node', node, silent, 'node.kubernetes.io/not-ready:NoSchedule-');
  await cluster.start('kube-scheduler');
  await cluster.apply(agent);
}

/** Does it for its calls; that nobody plays the kubelet's part to the end is no matter, that a right lacks is. */
async function attempt(work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const signal = AbortSignal.timeout(3_000);
  await work(signal).catch((error: unknown) => assert.doesNotMatch(String(error), /lacks a right|is forbidden/));
}

const spec = (wishes: Partial<WorkloadSpec> = {}) =>
  plainWorkload({ uuid: randomUUID(), image: 'busybox', projectId, host: node, memoryMiB: 64, ...wishes });

/** Changes the limits of what runs, with the kubelet's part in that. */
async function resize({ runtime }: LocalAdapters, uuid: string): Promise<void> {
  const where = ['pod', `zun-${uuid}`, `--namespace=zun-${projectId}`];
  const told = (resources: unknown) => {
    const patch = [{ op: 'add', path: '/status/containerStatuses/0/resources', value: resources }];
    return accounts.cluster.kubectl('patch', ...where, '--subresource=status', '--type=json', '--patch', JSON.stringify(patch));
  };
  const read = async () => JSON.parse(await accounts.cluster.kubectl('get', ...where, '--output=json')).spec.containers[0].resources;
  const before = await read();
  // Of a kubelet that tells none, the API server thinks that it can't.
  await told(before);
  const updated = runtime.update(uuid, { memoryMiB: before.limits.memory === '64Mi' ? 96 : 64 });
  const wanted = until('limits are asked for', async () => {
    const now = await read();
    return now.limits.memory === before.limits.memory ? null : now;
  });
  await Promise.all([updated, wanted.then(told)]);
}

/** Containers that run, and are not started. */
interface Made {
  runs: string;
  rest: string;
}

/** What zun-compute does for users, and as the one that keeps rows true. */
async function compute(adapters: LocalAdapters): Promise<Made> {
  const { runtime, images, volumes } = adapters;
  const always = { name: 'always' as const, maximumRetryCount: 0 };
  const [runs, late] = [spec({ imagePull: login, mounts: [file], restartPolicy: always }), spec({ host: silent })];
  await runtime.create(runs);
  await runtime.start(runs.uuid);
  await attempt(async (signal) => {
    for await (const _event of runtime.events(signal)) return;
  });
  await runtime.create(late);
  // What stands in its way is looked for among the events.
  await assert.rejects(runtime.start(late.uuid), /did not start within 2 seconds/);
  await runtime.list();
  await attempt((signal) => runtime.kill(runs.uuid, 'HUP', signal));
  await resize(adapters, runs.uuid);
  await attempt((signal) => runtime.stop(runs.uuid, 1, signal));
  await runtime.remove(late.uuid);
  await attempt((signal) => images.pull('busybox', '1', login.credentials, signal));
  await images.find('busybox');
  await attempt((signal) => (images.on?.(node) ?? assert.fail()).find('busybox', signal));
  const volume = await volumes.create({ key: randomUUID(), sizeGiB: 1, projectId, userId: 'u' });
  await volumes.delete(volume.id, projectId);
  // Of a project that has no namespace yet.
  assert.equal(await volumes.findMade(randomUUID(), randomUUID()), null);
  const [stays, rests] = [spec(), spec()];
  for (const { uuid } of [stays, rests]) await runtime.create({ ...stays, uuid });
  await runtime.start(stays.uuid);
  return { runs: stays.uuid, rest: rests.uuid };
}

/** What zun-api asks while a request waits. */
async function api(adapters: LocalAdapters, { runs: uuid, ...at }: Made): Promise<void> {
  const { runtime, volumes } = adapters;
  // No row is here, so its namespace is looked for.
  assert.equal((await runtime.inspect(uuid))?.state.status, 'running');
  await attempt((signal) => runtime.logs(uuid, { stdout: true, stderr: true, timestamps: false, tail: 'all', since: 0 }, signal));
  await attempt((signal) => runtime.exec(uuid, ['true'], 1_000, signal));
  await attempt((signal) => runtime.stats(uuid, signal));
  await attempt((signal) => runtime.getArchive(at.rest, '/x', signal));
  await resize(adapters, uuid);
  for (const project of [projectId, randomUUID()]) await assert.rejects(volumes.find('none', project), { status: 404 });
}

/** What zun-wsproxy does for who has the address of a console. */
async function wsproxy({ runtime }: LocalAdapters, { runs: uuid }: Made): Promise<void> {
  await accounts.addRow(uuid, projectId);
  const exec = { kind: 'exec', command: ['sh'], interactive: true } as const;
  for (const target of [{ kind: 'attach' } as const, exec])
    await attempt(async (signal) => (await runtime.openConsole(uuid, target, signal)).close());
}

/** A right, `cluster list pods` or `project create pods/exec`, that a call needs. */
function rightsOf(operation: string): string[] {
  const [method = '', path = ''] = operation.split(' ');
  const [, group = '', scope, resource = '', name, subresource] =
    /^\/apis?\/(?:([^/]+)\/)?v[^/]+\/(namespaces\/\{namespace\}\/)?([^/]+)(\/\{name\})?(?:\/(.*))?$/.exec(path) ?? [];
  const what = [resource, ...(subresource === undefined ? [] : [subresource])].join('/') + (group === '' ? '' : `.${group}`);
  const where = scope === undefined ? 'cluster' : 'project';
  const verbs: Record<string, string[]> = {
    GET: [name === undefined ? 'list' : 'get'],
    // A watch lists what it has missed.
    WATCH: ['watch', 'list'],
    POST: ['create'],
    PATCH: ['patch'],
    DELETE: [name === undefined ? 'deletecollection' : 'delete'],
    // Which of them, the server's version says.
    CONNECT: ['get', 'create'],
  };
  // Namespaces of projects are not known before, so this is a right of the cluster, which the policies narrow; the other one it needs with that.
  if (resource === 'rolebindings' && method === 'POST') return [`cluster create ${what}`, `cluster bind clusterroles.${group}`];
  return (verbs[method] ?? []).map((verb) => `${where} ${verb} ${what}`);
}

/** What a role of the chart gives; nothing where there is none of that name. */
function given(name: string, where: string): string[] {
  const role = accounts.objects.find(({ kind, metadata }) => kind.endsWith('Role') && metadata.name === name);
  return (role?.rules ?? []).flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) => verbs.map((verb) => `${where} ${verb} ${resource}${group === '' ? '' : `.${group}`}`)),
    ),
  );
}

/** Asked first, as it knows more, and not given: see `docs/decisions/chart.md`. */
const kubelets = 'cluster get nodes/proxy';

/** What the work takes of the program's rights, and what the chart gives it. An operation does not tell one namespace from another. */
async function rightsAt(program: Program, work: (adapters: LocalAdapters) => Promise<void>) {
  const used = new Set<string>();
  const observer = (operation: string) => {
    for (const right of rightsOf(operation)) used.add(right);
    return () => {};
  };
  const quick = (settings: { kubernetes: { pullDeadlineSeconds: number } }) => {
    settings.kubernetes.pullDeadlineSeconds = 2;
  };
  await work(await accounts.adapters(program, observer, quick));
  const ofCluster = given(`${releaseNamespace}-zun-${program}`, 'cluster');
  return {
    used: [...used].filter((right) => right !== kubelets),
    given: [
      ...ofCluster,
      ...given(`${releaseNamespace}-zun-${program}-project`, 'project'),
      ...(['api', 'compute'].includes(program) ? given('zun-node-access', 'project') : []),
    ],
    // What is given everywhere is given in each namespace.
    everywhere: ofCluster.map((right) => right.replace('cluster', 'project')),
  };
}

for (const [name, values] of Object.entries(variants))
  describe(name, () => {
    before(() => install(values));
    after(() => accounts.remove());
    let made: Made;
    const works: [Program, (adapters: LocalAdapters) => Promise<void>][] = [
      [
        'compute',
        async (adapters) => {
          made = await compute(adapters);
        },
      ],
      ['api', (adapters) => api(adapters, made)],
      ['wsproxy', (adapters) => wsproxy(adapters, made)],
      ['compute-agent', async ({ runtime }) => void (await runtime.describeNode())],
    ];
    for (const [program, work] of works)
      test(`${program} has the rights that it uses, and no other`, async () => {
        const { used, given: may, everywhere } = await rightsAt(program, work);
        assert.deepEqual(
          used.filter((right) => !may.includes(right) && !everywhere.includes(right)),
          [],
        );
        assert.deepEqual(
          may.filter((right) => !used.includes(right)),
          [],
        );
      });
  });
