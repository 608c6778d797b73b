import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { KubeConfig } from '@kubernetes/client-node';
import { KubeClient } from '../../src/runtime/kubernetes/client/kube-client.ts';
import { KubeError } from '../../src/runtime/kubernetes/client/kube-error.ts';
import { kubeFault } from '../../src/runtime/kubernetes/client/kube-fault.ts';
import { listObjects } from '../../src/runtime/kubernetes/client/list-objects.ts';
import { loadKubeConfig } from '../../src/runtime/kubernetes/client/load-kube-config.ts';
import { watchObjects } from '../../src/runtime/kubernetes/client/watch-objects.ts';
import type { WatchOptions } from '../../src/runtime/kubernetes/client/watch-options.ts';
import { systemClock } from '../../src/telemetry/clock.ts';
import { type Cluster, startCluster } from '../cluster/cluster.ts';
import { until } from '../system/engine/until.ts';

interface ConfigMap {
  kind?: string;
  metadata: { name: string; resourceVersion: string; annotations?: Record<string, string> };
  data?: Record<string, string>;
}

const partialList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

let cluster: Cluster;
let client: KubeClient;
before(async () => {
  cluster = await startCluster({ mode: 'control' });
  client = new KubeClient(loadKubeConfig({ kubeconfig: cluster.kubeconfig, context: null }));
});
after(async () => {
  await client?.close();
  await cluster?.stop();
});

const maps = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;

/** A namespace with as many config maps. */
async function namespaceWith(name: string, count: number): Promise<void> {
  await client.request({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name } } });
  const put = (index: number) => set(name, `map-${index}`, String(index));
  for (let index = 0; index < count; index += 20) {
    await Promise.all(Array.from({ length: Math.min(20, count - index) }, (_, at) => put(index + at)));
  }
}

/** Makes or changes a config map. */
async function set(namespace: string, name: string, value: string): Promise<void> {
  await client.request({
    method: 'PATCH',
    path: `${maps(namespace)}/${name}`,
    query: { fieldManager: 'test', force: true },
    contentType: 'application/apply-patch+yaml',
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } },
  });
}

const remove = (namespace: string, name: string) => client.request({ method: 'DELETE', path: `${maps(namespace)}/${name}` });

/** What a call was refused with. */
async function refusal(call: Promise<unknown>): Promise<KubeError> {
  const error = await call.catch((thrown: unknown) => thrown);
  assert.ok(error instanceof KubeError);
  return error;
}

/** Watches a namespace's config maps and keeps their values by name. */
function watched(namespace: string, options: Partial<WatchOptions> = {}) {
  const caller = new AbortController();
  const known = new Map<string, string>();
  const happenings: string[] = [];
  const watching = (async () => {
    const events = watchObjects<ConfigMap>(client, {
      path: maps(namespace),
      query: {},
      clock: systemClock,
      signal: caller.signal,
      relistMilliseconds: 600_000,
      idleMilliseconds: 90_000,
      observer: (happening) => void happenings.push(happening),
      ...options,
    });
    for await (const event of events) {
      if (event.type === 'listed') known.clear();
      for (const { metadata, data } of event.type === 'listed' ? event.items : [event.object]) {
        if (event.type === 'deleted') known.delete(metadata.name);
        else known.set(metadata.name, data?.value ?? '');
      }
    }
  })();
  const knows = (expected: Record<string, string>) =>
    until('the watcher knows', async () => {
      const now = Object.entries(expected).every(([name, value]) => known.get(name) === value);
      return now && known.size === Object.keys(expected).length ? true : null;
    });
  const happened = (happening: string) => until(happening, async () => (happenings.includes(happening) ? true : null));
  const end = async () => {
    caller.abort();
    await watching;
  };
  return { known, happenings, knows, happened, end };
}

test('both ways to log in work, and what is refused is told with reason and words', async () => {
  const config = loadKubeConfig({ kubeconfig: cluster.certificateKubeconfig, context: null });
  const other = new KubeClient(config);
  const { gitVersion } = await other.request<{ gitVersion: string }>({ method: 'GET', path: '/version' });
  assert.match(gitVersion, /^v1\./);
  await other.close();
  await namespaceWith('refusals', 1);
  const refused = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => {
    const error = await refusal(client.request({ method, path, body }));
    return [error.status, error.reason, kubeFault(error).kind, error.message];
  };
  const absent = 'configmaps "absent" not found';
  assert.deepEqual(await refused('GET', `${maps('refusals')}/absent`), [404, 'NotFound', 'not-found', absent]);
  const exists = 'configmaps "map-0" already exists';
  assert.deepEqual(await refused('POST', maps('refusals'), { metadata: { name: 'map-0' } }), [409, 'AlreadyExists', 'conflict', exists]);
  const stale = await refused('PUT', `${maps('refusals')}/map-0`, { metadata: { name: 'map-0', resourceVersion: '1' } });
  assert.deepEqual(stale.slice(0, 3), [409, 'Conflict', 'conflict']);
  const invalid = await refused('POST', maps('refusals'), { metadata: { name: 'Not_A_Name' } });
  assert.deepEqual(invalid.slice(0, 3), [422, 'Invalid', 'invalid']);
  assert.match(String(invalid[3]), /metadata\.name: Invalid value: "Not_A_Name"/);
});

test('credentials that are not accepted, and a right that is missing, are told as such', async () => {
  await namespaceWith('rights', 0);
  const accounts = '/api/v1/namespaces/rights/serviceaccounts';
  await client.request({ method: 'POST', path: accounts, body: { metadata: { name: 'weak' } } });
  const { status } = await client.request<{ status: { token: string } }>({ method: 'POST', path: `${accounts}/weak/token`, body: {} });
  const known = loadKubeConfig({ kubeconfig: cluster.kubeconfig, context: null }).getCurrentCluster();
  assert.ok(known);
  const words = async (token: string) => {
    const config = new KubeConfig();
    config.loadFromClusterAndUser(known, { name: 'weak', token });
    const weak = new KubeClient(config);
    const error = await refusal(weak.request({ method: 'GET', path: maps('rights') }));
    await weak.close();
    return kubeFault(error).message;
  };
  assert.equal(
    await words(status.token),
    'This service lacks a right in Kubernetes (RBAC): configmaps is forbidden: User "system:serviceaccount:rights:weak" cannot list resource "configmaps" in API group "" in the namespace "rights"',
  );
  assert.match(await words('wrong'), /^Kubernetes does not accept this service's credentials: /);
});

test('a long list comes whole, and in the shape that is asked for', async () => {
  await namespaceWith('lists', 520);
  const { items, resourceVersion } = await listObjects<ConfigMap>(client, maps('lists'), {});
  assert.equal(new Set(items.map(({ metadata }) => metadata.name)).size, 520);
  assert.match(resourceVersion, /^\d+$/);
  const bare = await listObjects<ConfigMap>(client, maps('lists'), { fieldSelector: 'metadata.name=map-7' }, undefined, partialList);
  assert.equal(bare.items[0]?.metadata.name, 'map-7');
  assert.equal(bare.items[0]?.data, undefined);
});

test('a watch tells what there is and what changes', async () => {
  await namespaceWith('watches', 2);
  const watch = watched('watches');
  await watch.knows({ 'map-0': '0', 'map-1': '1' });
  await set('watches', 'map-0', 'new');
  await remove('watches', 'map-1');
  await set('watches', 'map-2', '2');
  await watch.knows({ 'map-0': 'new', 'map-2': '2' });
  await watch.end();
  assert.deepEqual(watch.happenings, ['listed', 'connected', 'modified', 'deleted', 'added']);
});

test('a watch brings events in the shape of its list', async () => {
  await namespaceWith('shapes', 1);
  const caller = new AbortController();
  const events = watchObjects<ConfigMap>(client, {
    path: maps('shapes'),
    query: {},
    accept: partialList,
    clock: systemClock,
    signal: caller.signal,
    relistMilliseconds: 600_000,
    idleMilliseconds: 90_000,
  });
  const listed = (await events.next()).value;
  assert.equal(listed?.type === 'listed' && listed.items[0]?.metadata.name, 'map-0');
  const next = events.next();
  await set('shapes', 'map-1', '1');
  const added = (await next).value;
  assert.ok(added?.type === 'added');
  assert.deepEqual([added.object.kind, added.object.metadata.name, added.object.data], ['PartialObjectMetadata', 'map-1', undefined]);
  caller.abort();
});

test('an API server that dies and comes back loses no change', async () => {
  await namespaceWith('deaths', 2);
  const watch = watched('deaths');
  await watch.knows({ 'map-0': '0', 'map-1': '1' });
  await cluster.kill('kube-apiserver');
  await watch.happened('failed');
  await assert.rejects(client.request({ method: 'GET', path: '/version' }), { name: 'RuntimeFault', kind: 'unreachable' });
  await cluster.start('kube-apiserver');
  await remove('deaths', 'map-0');
  await set('deaths', 'map-2', '2');
  await watch.knows({ 'map-1': '1', 'map-2': '2' });
  await watch.end();
});

test('an API server that hangs is noticed', async () => {
  await namespaceWith('hangs', 1);
  const watch = watched('hangs', { idleMilliseconds: 1_000 });
  await watch.knows({ 'map-0': '0' });
  await cluster.pause('kube-apiserver');
  await assert.rejects(client.request({ method: 'GET', path: '/version', silenceMs: 500 }), { name: 'RuntimeFault', kind: 'unreachable' });
  await watch.happened('silent');
  await cluster.resume('kube-apiserver');
  await set('hangs', 'map-0', 'new');
  await watch.knows({ 'map-0': 'new' });
  await watch.end();
});

test('versions that the database has forgotten are listed again', async () => {
  await namespaceWith('forgets', 1);
  const watch = watched('forgets');
  await watch.knows({ 'map-0': '0' });
  await cluster.kill('kube-apiserver');
  await watch.happened('failed');
  const { stdout } = await cluster.exec(['curl', '-sf', 'http://127.0.0.1:2379/v3/kv/put', '-d', '{"key":"eA==","value":"eA=="}']);
  const { revision } = (JSON.parse(stdout) as { header: { revision: string } }).header;
  const compacted = await cluster.exec(['curl', '-sf', 'http://127.0.0.1:2379/v3/kv/compaction', '-d', `{"revision":"${revision}"}`]);
  assert.equal(compacted.exitCode, 0);
  await cluster.start('kube-apiserver');
  await set('forgets', 'map-0', 'new');
  await watch.knows({ 'map-0': 'new' });
  await watch.happened('expired');
  await watch.end();
});
