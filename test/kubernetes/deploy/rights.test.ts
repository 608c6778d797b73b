import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { plainWorkload } from '../../../src/runtime/plain-workload.ts';
import { until } from '../../system/engine/until.ts';
import { ChartAccounts, kept, type Program } from './chart-accounts.ts';
import { releaseNamespace } from './rendered-chart.ts';

/** The namespaces of one project that has containers, and of one whose namespace an older release has made. */
const [project, older] = [`zun-${'a'.repeat(32)}`, `zun-${'b'.repeat(32)}`];
/** Not of this installation: another's, and one that only has a name like that. */
const [others, foreign] = ['zun-others', 'zun-foreign'];
const roleOf = (program: Program) => `${releaseNamespace}-zun-${program}-project`;
const labelsOf = (instance: string) => ({ 'app.kubernetes.io/managed-by': 'zun', 'app.kubernetes.io/instance': instance });
const namespace = (name: string, labels = {}) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
const pod = (name: string, where: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: where },
  spec: { containers: [{ name: 'main', image: 'any' }] },
});
const binding = (where: string, role: string, subject: object, kind = 'ClusterRole') => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name: 'mine', namespace: where },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: role },
  subjects: [subject],
});
const account = (program: Program) => ({ kind: 'ServiceAccount', name: `zun-${program}`, namespace: releaseNamespace });

let accounts: ChartAccounts;
before(async () => {
  accounts = await ChartAccounts.install({ agent: { containerdSocket: '/run/containerd/containerd.sock' } });
  const { cluster } = accounts;
  await cluster.apply(namespace(older, labelsOf('zun')), namespace(others, labelsOf('other')), namespace(foreign));
  // As a project gets its namespace: with its first container.
  const { runtime } = await accounts.adapters('compute');
  await runtime.create(plainWorkload({ uuid: randomUUID(), image: 'any', projectId: 'a'.repeat(32) }));
  for (const where of [project, 'kube-system', others, foreign]) await cluster.apply(pod('there', where));
  for (const where of ['kube-system', releaseNamespace, others, foreign, older])
    await cluster.kubectl('create', 'secret', 'generic', 'there', `--namespace=${where}`);
  for (const name of ['zun-compute-agent-x1', 'zun-api-x1']) await cluster.apply(pod(name, releaseNamespace));
});
after(() => accounts.remove());

const as = (program: Program, ...args: string[]): Promise<string> => accounts.as(program, ...args);

/** What the program's service account is told when it would make the object. */
async function makes(program: Program, object: object): Promise<string> {
  const { folder, exec } = accounts.cluster;
  const file = `${folder}/made-${randomUUID()}.json`;
  await exec(['sh', '-c', `cat > ${file} <<'END'\n${JSON.stringify(object)}\nEND`]);
  return as(program, 'create', '--dry-run=server', '--filename', file);
}

const isForbidden = /cannot \w+ resource/;
const programs: readonly Program[] = ['api', 'compute', 'wsproxy', 'compute-agent'];

test('no program reads a Secret but in namespaces that this installation has made', async () => {
  for (const program of programs) {
    const told = await Promise.all([
      as(program, 'get', 'secrets', '--all-namespaces'),
      ...['kube-system', 'default', releaseNamespace, others, foreign].flatMap((where) => [
        as(program, 'get', 'secret', 'there', `-n${where}`),
        as(program, 'get', 'secrets', `-n${where}`),
      ]),
    ]);
    for (const words of told) assert.match(words, isForbidden, program);
  }
  for (const program of ['api', 'compute'] as const) assert.match(await as(program, 'get', 'secrets', `-n${project}`), /^NAME/, program);
});

test('no program makes anything, or runs commands, but in these namespaces and in agents that have the socket', async () => {
  const createPod = (where: string) => as('compute', 'run', 'new', '--image=any', '--dry-run=server', `--namespace=${where}`);
  assert.match(await createPod(project), /pod\/new created/);
  for (const where of ['kube-system', 'default', releaseNamespace, others, foreign])
    assert.match(await createPod(where), isForbidden, where);
  // Who may is told that the Pod has no node.
  const may = /does not have a host assigned/;
  for (const program of ['api', 'compute', 'wsproxy'] as const) {
    const exec = (name: string, where: string) =>
      as(program, 'get', '--raw', `/api/v1/namespaces/${where}/pods/${name}/exec?command=true&stdout=true`);
    // Workers ask agents instead.
    assert.match(await exec('there', project), program === 'compute' ? isForbidden : may, program);
    for (const where of ['kube-system', others, foreign]) assert.match(await exec('there', where), isForbidden, `${program} ${where}`);
    const agent = await exec('zun-compute-agent-x1', releaseNamespace);
    assert.match(agent, program === 'wsproxy' ? isForbidden : may, program);
    assert.match(await exec('zun-api-x1', releaseNamespace), program === 'wsproxy' ? isForbidden : kept, program);
  }
});

test('only zun-wsproxy attaches to a process, and only in these namespaces', async () => {
  for (const program of programs) {
    const attach = (name: string, where: string) =>
      as(program, 'get', '--raw', `/api/v1/namespaces/${where}/pods/${name}/attach?stdout=true`);
    assert.match(await attach('there', project), program === 'wsproxy' ? /does not have a host assigned/ : isForbidden, program);
    for (const where of ['kube-system', others, foreign]) assert.match(await attach('there', where), isForbidden, `${program} ${where}`);
    assert.match(await attach('zun-compute-agent-x1', releaseNamespace), isForbidden, program);
  }
});

test('a role is bound to its program, in a namespace that this installation has made, and nothing else is bound', async () => {
  for (const program of ['api', 'compute', 'wsproxy'] as const)
    assert.match(await makes('compute', binding(project, roleOf(program), account(program))), /rolebinding\S* created/);
  for (const where of ['kube-system', 'default', releaseNamespace, others, foreign])
    assert.match(await makes('compute', binding(where, roleOf('compute'), account('compute'))), kept, where);
  const toOthers = /Zun gives its own programs their roles/;
  const somebody = { kind: 'User', name: 'somebody', apiGroup: 'rbac.authorization.k8s.io' };
  for (const subject of [somebody, account('api'), { ...account('compute'), namespace: project }])
    assert.match(await makes('compute', binding(project, roleOf('compute'), subject)), toOthers, JSON.stringify(subject));
  for (const role of ['cluster-admin', 'view', 'system:node'])
    assert.match(
      await makes('compute', binding(project, role, account('compute'))),
      /is attempting to grant RBAC permissions|Zun gives its own programs their roles/,
      role,
    );
  for (const program of ['api', 'wsproxy', 'compute-agent'] as const)
    assert.match(await makes(program, binding(project, roleOf('api'), account('api'))), isForbidden, program);
});

test('namespaces are made with the prefix and the labels, and no other is made one of a project', async () => {
  assert.match(await makes('compute', namespace('zun-new', labelsOf('zun'))), /namespace\/zun-new created/);
  assert.match(await makes('compute', namespace('new', labelsOf('zun'))), kept);
  assert.match(await makes('compute', namespace('zun-new')), kept);
  assert.match(await makes('compute', namespace('zun-new', labelsOf('other'))), kept);
  const privileged = { ...labelsOf('zun'), 'pod-security.kubernetes.io/enforce': 'privileged' };
  assert.match(await makes('compute', namespace('zun-new', privileged)), /Zun makes no namespace whose Pods may do everything/);
  const baseline = { ...privileged, 'pod-security.kubernetes.io/enforce': 'baseline' };
  assert.match(await makes('compute', namespace('zun-new', baseline)), /namespace\/zun-new created/);
  for (const where of ['kube-system', foreign, releaseNamespace])
    assert.match(await as('compute', 'label', 'namespace', where, 'app.kubernetes.io/managed-by=zun'), isForbidden, where);
});

test('the policies hold by themselves, whatever else is given to the accounts', async (t) => {
  const { cluster } = accounts;
  const subject = `--serviceaccount=${releaseNamespace}:zun-compute`;
  await cluster.kubectl('create', 'clusterrolebinding', 'all', '--clusterrole=cluster-admin', subject);
  t.after(() => cluster.kubectl('delete', 'clusterrolebinding', 'all'));
  const dryRun = '--dry-run=server';
  await until('the right is there', async () => (/^there/m.test(await as('compute', 'get', 'secrets', `-n${foreign}`)) ? true : null));
  const tries = [
    ...['kube-system', foreign, others, releaseNamespace].flatMap((where) => [
      ['label', 'namespace', where, ...Object.entries(labelsOf('zun')).map((pair) => pair.join('=')), '--overwrite', dryRun],
      ['run', 'new', '--image=any', dryRun, `-n${where}`],
      ['delete', 'secret', 'there', dryRun, `-n${where}`],
      ['delete', '--raw', `/api/v1/namespaces/${where}/secrets?dryRun=All`],
      ['create', 'rolebinding', 'new', `--clusterrole=${roleOf('compute')}`, subject, dryRun, `-n${where}`],
    ]),
    ['label', 'namespace', project, 'app.kubernetes.io/instance=other', '--overwrite', dryRun],
    ['delete', 'namespace', foreign, dryRun],
  ];
  for (const words of tries) assert.match(await as('compute', ...words), kept, words.join(' '));
  const cluster_admin = ['create', 'rolebinding', 'new', '--clusterrole=cluster-admin', subject, dryRun, `-n${project}`];
  assert.match(await as('compute', ...cluster_admin), /Zun gives its own programs their roles/);
  assert.match(await as('compute', 'delete', 'rolebinding', roleOf('api'), dryRun, `-n${project}`), /Zun changes no RoleBinding/);
});

const rights: [program: Program, may: string[], mayNot: string[]][] = [
  [
    'api',
    ['get pods', 'get pods/log', 'patch pods/resize', 'get secrets'],
    ['patch pods', 'create secrets', 'delete secrets', 'create namespaces', 'create rolebindings', 'list rolebindings'],
  ],
  [
    'compute',
    ['create pods', 'patch pods', 'deletecollection secrets', 'create networkpolicies'],
    ['deletecollection pods', 'delete namespaces', 'patch namespaces', 'delete networkpolicies', 'patch nodes', 'patch rolebindings'],
  ],
  [
    'compute-agent',
    ['get nodes', 'list pods'],
    ['get secrets', 'list secrets', 'get pods/exec', 'create pods/exec', 'create pods', 'list nodes', 'patch nodes'],
  ],
  [
    'wsproxy',
    ['get pods', 'create pods/attach', 'create pods/exec'],
    ['get secrets', 'list secrets', 'list pods', 'create pods', 'patch pods', 'get pods/log', 'get namespaces', 'create rolebindings'],
  ],
];

for (const [program, may, mayNot] of rights) {
  test(`what the service account of ${program} may do in a project, and what not`, async () => {
    const answer = async (right: string) => {
      const [verb = '', resource = ''] = right.split(' ');
      const [kind = '', subresource] = resource.split('/');
      const part = subresource === undefined ? [] : [`--subresource=${subresource}`];
      const said = await as(program, 'auth', 'can-i', verb, kind, ...part, `-n${project}`);
      return said.split('\n').find((line) => /^(yes|no)$/.test(line));
    };
    for (const right of may) assert.equal(await answer(right), 'yes', right);
    for (const right of mayNot) assert.equal(await answer(right), 'no', right);
  });
}
