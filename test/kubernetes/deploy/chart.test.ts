import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { type Cluster, startCluster } from '../../cluster/cluster.ts';
import {
  chartFolder,
  helm,
  type Manifest,
  neededValues,
  type PodSpec,
  releaseNamespace,
  renderedChart,
  valuesFile,
} from './rendered-chart.ts';

let cluster: Cluster;
before(async () => {
  cluster = await startCluster({ mode: 'control' });
  await cluster.kubectl('create', 'namespace', releaseNamespace);
});
after(() => cluster.stop());

const socket = { agent: { containerdSocket: '/run/containerd/containerd.sock' } };
/** Values that together bring every object and every branch of the templates. */
const variants: Record<string, object> = {
  'the defaults': {},
  'access to nodes': socket,
  'everything that is optional': {
    wsproxy: { service: { type: 'LoadBalancer', annotations: { a: 'b' } }, nodeSelector: { a: 'b' } },
    imagePullSecrets: [{ name: 'registry' }],
    image: { digest: `sha256:${'a'.repeat(64)}` },
    certificates: { configMap: 'authorities' },
    policy: { 'container:create': 'role:admin' },
    config: {
      quotas: { containers: 5 },
      consoles: { allowedOrigins: ['dashboard.example'], idleSeconds: 60 },
      kubernetes: { instance: 'other', runtimeClasses: { gvisor: 'gvisor' } },
    },
    api: { service: { type: 'NodePort', annotations: { a: 'b' } }, nodeSelector: { a: 'b' }, tolerations: [{ operator: 'Exists' }] },
    networkPolicy: {
      usersFrom: [{ namespaceSelector: {} }],
      metricsFrom: [{ podSelector: {} }],
      database: { to: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [3306] },
      extraEgress: [{ ports: [{ port: 5000 }] }],
    },
  },
  'Secrets of the operator, and nothing that can be left out': {
    secrets: { existingSecret: 'mine' },
    identity: { existingSecret: 'mine-too' },
    wsproxy: { enabled: false },
    databaseUpgrade: { enabled: false },
    networkPolicy: { enabled: false },
    admissionPolicy: { enabled: false },
  },
};

for (const [name, values] of Object.entries(variants)) {
  test(`the API server takes every object of the chart: ${name}`, async () => {
    const objects = await renderedChart(cluster, values);
    const file = await valuesFile(cluster, { apiVersion: 'v1', kind: 'List', items: objects });
    const applied = await cluster.kubectl(
      'apply',
      '--dry-run=server',
      '--validate=strict',
      '--namespace',
      releaseNamespace,
      '--filename',
      file,
    );
    assert.equal(applied.trim().split('\n').length, objects.length, applied);
  });
}

test('no role has a wildcard, or a right that is as good as every right', async () => {
  const objects = await renderedChart(cluster, socket);
  const ofProjects = objects.flatMap(({ kind, metadata }) =>
    kind === 'ClusterRole' && metadata.name.endsWith('-project') ? [metadata.name] : [],
  );
  for (const { metadata, rules = [] } of objects) {
    for (const rule of rules) {
      // Which namespaces get these roles is not known before; the policies say where they may be bound, and to whom.
      if (metadata.name === 'zun-system-zun-compute' && rule.resources.join() === 'rolebindings') {
        assert.deepEqual(rule.verbs, ['list', 'create']);
        continue;
      }
      if (metadata.name === 'zun-system-zun-compute' && rule.verbs.join() === 'bind') {
        assert.deepEqual([rule.resources, rule.resourceNames], [['clusterroles'], ofProjects.toSorted()]);
        continue;
      }
      const words = [...rule.apiGroups, ...rule.resources, ...rule.verbs];
      assert.deepEqual(
        words.filter((word) => word.includes('*')),
        [],
        metadata.name,
      );
      // Each of these is as good as every right there is.
      const dangerous = [
        'nodes/proxy',
        'serviceaccounts/token',
        'roles',
        'clusterroles',
        'rolebindings',
        'clusterrolebindings',
        'pods/ephemeralcontainers',
      ];
      assert.deepEqual(
        rule.resources.filter((resource) => dangerous.includes(resource)),
        [],
        metadata.name,
      );
      assert.deepEqual(
        rule.verbs.filter((verb) => ['escalate', 'bind', 'impersonate'].includes(verb)),
        [],
        metadata.name,
      );
    }
  }
});

test('what is given in all of the cluster is no Secret, no command and nothing to be made but namespaces and their roles', async () => {
  const objects = await renderedChart(cluster, {});
  const everywhere = objects.filter(({ kind }) => kind === 'ClusterRoleBinding').map(({ metadata }) => metadata.name);
  const given = objects
    .filter(({ kind, metadata }) => kind === 'ClusterRole' && everywhere.includes(metadata.name))
    .flatMap(({ metadata, rules = [] }) =>
      rules.flatMap(({ resources, verbs }) =>
        resources.flatMap((resource) => verbs.map((verb) => `${metadata.name.replace('zun-system-zun-', '')} ${verb} ${resource}`)),
      ),
    );
  assert.deepEqual(given.toSorted(), [
    'api get namespaces',
    'api get nodes',
    'api list namespaces',
    'compute bind clusterroles',
    'compute create namespaces',
    'compute create rolebindings',
    'compute get namespaces',
    'compute get nodes',
    'compute list namespaces',
    'compute list nodes',
    'compute list pods',
    'compute list rolebindings',
    'compute watch pods',
    'compute-agent get nodes',
    'compute-agent list pods',
  ]);
});

const podSpecs = (objects: Manifest[]): [string, PodSpec][] =>
  objects.flatMap(({ metadata, spec }) => (spec?.template ? [[metadata.name, spec.template.spec] as [string, PodSpec]] : []));

test('every Pod keeps to what Kubernetes calls restricted', async () => {
  const specs = podSpecs(await renderedChart(cluster, {}));
  assert.deepEqual(specs.map(([name]) => name).sort(), [
    'zun-api',
    'zun-compute',
    'zun-compute-agent',
    'zun-database-upgrade',
    'zun-wsproxy',
  ]);
  for (const [name, { securityContext, containers, volumes = [] }] of specs) {
    assert.equal(securityContext.runAsNonRoot, true, name);
    assert.deepEqual(securityContext.seccompProfile, { type: 'RuntimeDefault' }, name);
    for (const container of containers) assert.deepEqual(container.securityContext, restricted, name);
    assert.deepEqual(
      volumes.filter((volume) => 'hostPath' in volume),
      [],
      name,
    );
  }
});

const restricted = {
  allowPrivilegeEscalation: false,
  privileged: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

test('with the socket the agent alone has root and its folder of the node, and still no capability', async () => {
  const specs = podSpecs(await renderedChart(cluster, socket));
  const paths = ({ volumes = [] }: PodSpec) => volumes.flatMap((volume) => ('hostPath' in volume ? [volume.hostPath] : []));
  for (const [name, spec] of specs) {
    const isAgent = name === 'zun-compute-agent';
    assert.deepEqual(paths(spec), isAgent ? [{ path: '/run/containerd', type: 'Directory' }] : [], name);
    assert.equal(spec.securityContext.runAsUser, isAgent ? 0 : 65_532, name);
    for (const container of spec.containers) assert.deepEqual(container.securityContext, restricted, name);
  }
});

test('the API stays in its Service while the cluster does not answer, since it reads from the database; who only works is not ready then', async () => {
  const probes = podSpecs(await renderedChart(cluster, socket)).flatMap(([name, { containers }]) =>
    containers.flatMap(({ readinessProbe }) => (readinessProbe ? [[name, readinessProbe.httpGet.path]] : [])),
  );
  assert.deepEqual(Object.fromEntries(probes), {
    'zun-api': '/readyz?exclude=engine',
    'zun-compute': '/readyz',
    'zun-compute-agent': '/readyz',
    'zun-wsproxy': '/readyz',
  });
});

const consolesOf = async (values: object): Promise<unknown> => {
  const objects = await renderedChart(cluster, values);
  const file = objects.find(({ metadata }) => metadata.name === 'zun-configuration')?.data?.['zun.yaml'] ?? '';
  return parse(file).consoles;
};

test("consoles are opened at the Service's address unless the operator says where, and the proxy listens where the Service leads", async () => {
  const listens = { host: '0.0.0.0', port: 6784 };
  assert.deepEqual(await consolesOf({}), { ...listens, publicUrl: 'ws://zun-wsproxy.zun-system.svc:6784/' });
  const said = { publicUrl: 'wss://consoles.example/', allowedOrigins: ['dashboard.example'] };
  assert.deepEqual(await consolesOf({ config: { consoles: said } }), { ...listens, ...said });
  assert.deepEqual(await consolesOf({ wsproxy: { service: { port: 80 } } }), {
    ...listens,
    publicUrl: 'ws://zun-wsproxy.zun-system.svc:80/',
  });
});

test('without consoles nothing of them is made, given or bound', async () => {
  const objects = await renderedChart(cluster, { wsproxy: { enabled: false }, ...socket });
  assert.doesNotMatch(JSON.stringify(objects.filter(({ kind }) => kind !== 'ValidatingAdmissionPolicy')), /wsproxy/);
});

test("zun-wsproxy is given the database's URL and no other secret", async () => {
  const specs = podSpecs(await renderedChart(cluster, {}));
  const [container] = specs.find(([name]) => name === 'zun-wsproxy')?.[1].containers ?? [];
  assert.deepEqual(container?.args, ['wsproxy']);
  const given = container?.env.flatMap(({ name, valueFrom }) => (valueFrom ? [[name, valueFrom]] : []));
  assert.deepEqual(given, [['ZUN_DATABASE', { secretKeyRef: { name: 'zun-secrets', key: 'database-url' } }]]);
});

const refused: [string, object, RegExp][] = [
  ['a key that is none', { replicas: 2 }, /additional properties 'replicas' not allowed/],
  ['a misspelled key', { api: { replica: 2 } }, /\/api.*additional properties 'replica' not allowed/s],
  ['a misspelled setting', { config: { quotas: { container: 5 } } }, /\/config\/quotas.*additional properties 'container' not allowed/s],
  ['a setting of the wrong type', { config: { quotas: { containers: 'many' } } }, /\/config\/quotas\/containers.*want integer/s],
  ['a setting that the chart makes', { config: { kubernetes: { nodeAccess: true } } }, /additional properties 'nodeAccess' not allowed/],
  [
    'a port of consoles other than its own',
    { config: { consoles: { port: 80 } } },
    /\/config\/consoles.*additional properties 'port' not allowed/s,
  ],
  [
    'an address of consoles that is none',
    { config: { consoles: { publicUrl: 'https://a' } } },
    /\/config\/consoles\/publicUrl.*does not match pattern/s,
  ],
  ['roles that the chart gives', { config: { kubernetes: { projectRoles: {} } } }, /additional properties 'projectRoles' not allowed/],
  ['a secret among the settings', { config: { database: { url: 'mysql://a' } } }, /additional properties 'database' not allowed/],
  ['a short key', { secrets: { databaseUrl: 'a', encryptionKey: 'short' } }, /\/secrets\/encryptionKey.*does not match pattern/s],
  [
    'no database',
    { secrets: { encryptionKey: neededValues.secrets.encryptionKey } },
    /secrets\.databaseUrl is missing: give it, or the name of a Secret/,
  ],
  ['no key', { secrets: { databaseUrl: 'mysql://a' } }, /secrets\.encryptionKey is missing/],
];

for (const [name, values, words] of refused) {
  test(`helm refuses ${name} before anything is installed`, async () => {
    await assert.rejects(renderedChart(cluster, values), words);
  });
}

test('helm finds nothing to say about the chart', async () => {
  const said = await helm(cluster, 'lint', '--strict', chartFolder, '--values', await valuesFile(cluster, neededValues));
  assert.match(said, /0 chart\(s\) failed/);
});
