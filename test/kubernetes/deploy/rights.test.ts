import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Cluster, startCluster } from '../../cluster/cluster.ts';
import { until } from '../../system/engine/until.ts';
import { releaseNamespace, renderedChart } from './rendered-chart.ts';

const project = `zun-${'a'.repeat(32)}`;
const kindsOfRights = ['ClusterRole', 'ClusterRoleBinding', 'ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'];
const pod = (name: string, namespace: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace },
  spec: { containers: [{ name: 'main', image: 'any' }] },
});

let cluster: Cluster;
before(async () => {
  cluster = await startCluster({ mode: 'control' });
  for (const name of [releaseNamespace, project]) await cluster.kubectl('create', 'namespace', name);
  const objects = await renderedChart(cluster, {
    wsproxy: { enabled: true },
    agent: { containerdSocket: '/run/containerd/containerd.sock' },
  });
  await cluster.apply(...objects.filter(({ kind }) => kindsOfRights.includes(kind)));
  for (const namespace of [project, 'kube-system']) await cluster.apply(pod('there', namespace));
  await cluster.kubectl('create', 'secret', 'generic', 'there', '--namespace=kube-system');
  for (const name of ['zun-compute-agent-x1', 'zun-api-x1']) await cluster.apply(pod(name, releaseNamespace));
  // The API server heeds a new policy after a moment.
  await until('the policy is in force', async () =>
    (await as('compute', 'create', 'secret', 'generic', 'a', '-nkube-system', '--dry-run=server')).includes(kept) ? true : null,
  );
});
after(() => cluster.stop());

const kept = 'Zun writes to namespaces of projects only';

/** What kubectl prints for the program's service account. */
async function as(program: string, ...args: string[]): Promise<string> {
  const account = `system:serviceaccount:${releaseNamespace}:zun-${program}`;
  const { stdout, stderr } = await cluster.exec(['kubectl', `--as=${account}`, '--as-group=system:serviceaccounts', ...args]);
  return stdout + stderr;
}

const createPod = (namespace: string) => ['run', 'new', '--image=any', '--dry-run=server', `--namespace=${namespace}`];

test('workers make Pods, Secrets and namespaces for projects, and nowhere else', async () => {
  assert.match(await as('compute', ...createPod(project)), /pod\/new created/);
  assert.match(await as('compute', 'create', 'namespace', 'zun-new', '--dry-run=server'), /namespace\/zun-new created/);
  for (const namespace of ['kube-system', 'default', releaseNamespace])
    assert.match(await as('compute', ...createPod(namespace)), new RegExp(kept), namespace);
  assert.match(await as('compute', 'create', 'namespace', 'new', '--dry-run=server'), new RegExp(kept));
  for (const what of [
    ['delete', 'pod', 'there'],
    ['annotate', 'pod', 'there', 'a=b'],
  ])
    assert.match(await as('compute', ...what, '-nkube-system', '--dry-run=server'), new RegExp(kept), what.join(' '));
  const allSecrets = ['delete', '--raw', '/api/v1/namespaces/kube-system/secrets?dryRun=All'];
  assert.match(await as('compute', ...allSecrets), new RegExp(kept));
  assert.match(await as('compute', 'delete', 'pod', 'there', `-n${project}`, '--dry-run=server'), /deleted/);
});

test('commands run in Pods of projects and in agents that have the socket, and nowhere else', async () => {
  // Who may is told that the Pod has no node.
  const may = /does not have a host assigned/;
  for (const program of ['api', 'compute', 'wsproxy']) {
    const exec = (name: string, namespace: string) => as(program, 'exec', name, `-n${namespace}`, '--', 'true');
    assert.match(await exec('there', project), may, program);
    assert.match(await exec('there', 'kube-system'), new RegExp(kept), program);
    assert.match(await exec('zun-api-x1', releaseNamespace), new RegExp(kept), program);
  }
  assert.match(await as('compute', 'exec', 'zun-compute-agent-x1', `-n${releaseNamespace}`, '--', 'true'), may);
});

const rights: [program: string, may: string[], mayNot: string[]][] = [
  [
    'api',
    ['get pods', 'get pods/log', 'patch pods/resize', 'get secrets'],
    ['create pods', 'delete pods', 'create secrets', 'delete secrets', 'create namespaces'],
  ],
  [
    'compute',
    ['create pods', 'patch pods', 'deletecollection secrets', 'create networkpolicies'],
    ['deletecollection pods', 'delete namespaces', 'delete networkpolicies', 'patch nodes'],
  ],
  [
    'compute-agent',
    ['get nodes', 'list pods'],
    ['get secrets', 'list secrets', 'get pods/exec', 'create pods/exec', 'create pods', 'list nodes', 'patch nodes'],
  ],
  ['wsproxy', ['get pods', 'create pods/attach'], ['get secrets', 'list pods', 'create pods']],
];

for (const [program, may, mayNot] of rights) {
  test(`what the service account of ${program} may do in a project, and what not`, async () => {
    const answer = async (right: string) => {
      const [verb = '', resource = ''] = right.split(' ');
      const [kind = '', subresource] = resource.split('/');
      const part = subresource === undefined ? [] : [`--subresource=${subresource}`];
      return (await as(program, 'auth', 'can-i', verb, kind, ...part, `-n${project}`)).split('\n')[0];
    };
    for (const right of may) assert.equal(await answer(right), 'yes', right);
    for (const right of mayNot) assert.equal(await answer(right), 'no', right);
  });
}
