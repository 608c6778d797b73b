import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
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
before(async () => {
  accounts = await ChartAccounts.install({ config: { kubernetes: { defaultRuntimeClass: '' } } });
  const { cluster } = accounts;
  await cluster.startKwok(node);
  const room = { cpu: '32', memory: '256Gi', pods: '110' };
  await cluster.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name: silent }, status: { allocatable: room, capacity: room } });
  await cluster.kubectl('taint', 'node', node, 'kwok.x-k8s.io/node-');
  // Is a controller's to take away, which does not run here.
  await cluster.kubectl('taint', 'node', node, silent, 'node.kubernetes.io/not-ready:NoSchedule-');
  await cluster.start('kube-scheduler');
});
after(() => accounts.remove());

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

/** What zun-compute does for users, and as the one that keeps rows true. Answers a container that runs. */
async function compute(adapters: LocalAdapters): Promise<string> {
  const { runtime, images, volumes } = adapters;
  const [runs, late] = [spec({ imagePull: login, mounts: [file] }), spec({ host: silent })];
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
  await (images.on?.(node) ?? assert.fail()).find('busybox');
  const volume = await volumes.create({ key: randomUUID(), sizeGiB: 1, projectId, userId: 'u' });
  await volumes.delete(volume.id, projectId);
  // Of a project that has no namespace yet.
  assert.equal(await volumes.findMade(randomUUID(), randomUUID()), null);
  const stays = spec();
  await runtime.create(stays);
  await runtime.start(stays.uuid);
  return stays.uuid;
}

/** What zun-api asks while a request waits. */
async function api(adapters: LocalAdapters, uuid: string): Promise<void> {
  const { runtime, volumes } = adapters;
  // No row is here, so its namespace is looked for.
  assert.equal((await runtime.inspect(uuid))?.state.status, 'running');
  await attempt((signal) => runtime.logs(uuid, { stdout: true, stderr: true, timestamps: false, tail: 'all', since: 0 }, signal));
  await attempt((signal) => runtime.exec(uuid, ['true'], 1_000, signal));
  await attempt((signal) => runtime.stats(uuid, signal));
  await resize(adapters, uuid);
  for (const project of [projectId, randomUUID()]) await assert.rejects(volumes.find('none', project), { status: 404 });
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

/** What a role of the chart gives. */
function given(name: string, where: string): string[] {
  const role = accounts.objects.find(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === name);
  return (role?.rules ?? []).flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) => verbs.map((verb) => `${where} ${verb} ${resource}${group === '' ? '' : `.${group}`}`)),
    ),
  );
}

/** Asked first, as it knows more, and not given: see `docs/decisions/chart.md`. */
const kubelets = 'cluster get nodes/proxy';

/** What the first has left running. */
const running = { uuid: '' };
const works: [Program, (adapters: LocalAdapters) => Promise<void>][] = [
  [
    'compute',
    async (adapters) => {
      running.uuid = await compute(adapters);
    },
  ],
  ['api', (adapters) => api(adapters, running.uuid)],
  ['compute-agent', async ({ runtime }) => void (await runtime.describeNode())],
];

for (const [program, work] of works) {
  test(`${program} has the rights that it uses, and no other`, async () => {
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
    const ofProjects = given(`${releaseNamespace}-zun-${program}-project`, 'project');
    // What is given everywhere is given there.
    const everywhere = ofCluster.map((right) => right.replace('cluster', 'project'));
    const may = new Set([...ofCluster, ...ofProjects]);
    assert.deepEqual(
      [...used].filter((right) => !may.has(right) && !everywhere.includes(right) && right !== kubelets),
      [],
    );
    assert.deepEqual(
      [...may].filter((right) => !used.has(right)),
      [],
    );
  });
}
