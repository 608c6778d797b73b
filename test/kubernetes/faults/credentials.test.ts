import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { KubeClient } from '../../../src/runtime/kubernetes/client/kube-client.ts';
import { loadKubeConfig } from '../../../src/runtime/kubernetes/client/load-kube-config.ts';
import { plainWorkload } from '../../../src/runtime/plain-workload.ts';
import { type Cluster, startCluster } from '../../cluster/cluster.ts';
import { endsOnTerm } from '../../contract/runtime/scripts.ts';
import { until } from '../../system/engine/until.ts';
import { type KubernetesFixture, kubernetesFixture } from '../kubernetes-fixture.ts';
import { TcpProxy } from './tcp-proxy.ts';

const name = `credentials-${randomBytes(4).toString('hex')}`;
let cluster: Cluster;
let folder: string;
let proxy: TcpProxy;
let fixture: KubernetesFixture;

/** A token that is good as long as the Secret is there, put where the service reads it, as a kubelet does. */
async function giveToken(secret: string): Promise<void> {
  await cluster.kubectl('-n', name, 'create', 'secret', 'generic', secret);
  const bound = ['--bound-object-kind', 'Secret', '--bound-object-name', secret];
  await writeFile(path.join(folder, 'new'), await cluster.kubectl('-n', name, 'create', 'token', 'zun', ...bound));
  await rename(path.join(folder, 'new'), path.join(folder, 'token'));
}

before(async () => {
  cluster = await startCluster({ mode: 'node' });
  folder = await mkdtemp(path.join(tmpdir(), 'zun-credentials-'));
  await cluster.apply(
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'zun', namespace: name } },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', name: 'zun', namespace: name }],
    },
  );
  await giveToken('first');
  const document = JSON.parse(await readFile(cluster.kubeconfig, 'utf8'));
  proxy = await TcpProxy.open(Number(new URL(document.clusters[0].cluster.server).port));
  document.clusters[0].cluster.server = `https://127.0.0.1:${proxy.port}`;
  document.users[0].user = { tokenFile: path.join(folder, 'token') };
  const kubeconfig = path.join(folder, 'kubeconfig');
  await writeFile(kubeconfig, JSON.stringify(document), { mode: 0o600 });
  fixture = await kubernetesFixture(cluster, { runtimeClass: 'runc', hasNodeAccess: false, kubeconfig });
});
after(async () => {
  await fixture?.cleanup();
  await proxy?.close();
  await cluster?.kubectl('delete', 'clusterrolebinding', name);
  await cluster?.kubectl('delete', 'namespace', name, '--wait=false');
  if (folder) await rm(folder, { recursive: true });
});

test('a token that ends breaks no watch, is told as such, and the next one is taken up at once, by watches too', async () => {
  const { runtime, image, client } = fixture;
  const uuid = randomUUID();
  await runtime.create(plainWorkload({ uuid, image, command: endsOnTerm(0) }));
  const over = new AbortController();
  const seen: string[] = [];
  const following = (async () => {
    for await (const event of runtime.events(over.signal)) if (event.uuid === uuid) seen.push(event.action);
  })();
  const told = (action: string) => until(`${action} is told`, async () => (seen.includes(action) ? true : null), 60_000);
  await until('the watch is there', async () => (proxy.connections > 1 ? true : null));
  await runtime.start(uuid);
  await told('start');

  await cluster.kubectl('-n', name, 'delete', 'secret', 'first');
  // The API server believes a token for ten seconds.
  await until(
    'the token has ended',
    () =>
      client.request({ method: 'GET', path: '/api' }).then(
        () => null,
        () => true,
      ),
    60_000,
  );
  const words = /^Kubernetes does not accept this service's credentials: /;
  await assert.rejects(runtime.stop(uuid, 2), { kind: 'unreachable', message: words });
  const admin = new KubeClient(loadKubeConfig({ kubeconfig: cluster.kubeconfig, context: null }));
  const { items } = await admin.request<{ items: { metadata: { namespace: string } }[] }>({
    method: 'GET',
    path: '/api/v1/pods',
    query: { fieldSelector: `metadata.name=zun-${uuid}` },
  });
  const [pod] = items;
  await admin.request({
    method: 'PATCH',
    path: `/api/v1/namespaces/${pod?.metadata.namespace}/pods/zun-${uuid}`,
    contentType: 'application/merge-patch+json',
    body: { spec: { activeDeadlineSeconds: 1 } },
  });
  await told('die');
  proxy.cut();

  await giveToken('second');
  seen.length = 0;
  await runtime.start(uuid);
  // The watch goes on from where it was.
  await told('start');
  await runtime.stop(uuid, 2);
  await told('die');
  over.abort();
  await following;
  await admin.close();
  await runtime.remove(uuid);
});
