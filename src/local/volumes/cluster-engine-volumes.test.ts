import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeApiServer } from '../../../test/kubernetes-fake/fake-api-server.ts';
import { KubeClient } from '../../runtime/kubernetes/client/kube-client.ts';
import { ClusterEngineVolumes } from './cluster-engine-volumes.ts';

test("a claim that others' finalizers hold says who has to clear them; Kubernetes' own goes by itself", async () => {
  await using stack = new AsyncDisposableStack();
  const fake = stack.use(await FakeApiServer.start());
  const client = new KubeClient(fake.config());
  stack.defer(() => client.close());
  const volumes = new ClusterEngineVolumes({
    client,
    settings: { instance: 'zun', namespacePrefix: 'zun-', storageClass: null },
    labels: { project: 'project', size: 'size' },
    inNamespace: (_namespace, _project, work) => work(),
  });
  let finalizers: string[] = [];
  fake.answer = (asked) => asked.json(200, { kind: 'PersistentVolumeClaim', metadata: { name: 'v', finalizers } });
  const remove = () => volumes.remove({ name: 'v', labels: { project: 'p' } });

  finalizers = ['kubernetes.io/pvc-protection', 'example.com/held'];
  await assert.rejects(remove(), {
    kind: 'unreachable',
    message:
      'The PersistentVolumeClaim zun-p/v was told to go and is still there: its finalizers example.com/held were not cleared.' +
      ' Whoever set them has to; then delete again.',
  });
  finalizers = ['kubernetes.io/pvc-protection'];
  await remove();
  fake.answer = (asked) => asked.refuse(404, 'NotFound', 'persistentvolumeclaims "v" not found');
  await remove();
  assert.deepEqual(
    new Set(fake.asked.map(({ method, path }) => `${method} ${path}`)),
    new Set(['DELETE /api/v1/namespaces/zun-p/persistentvolumeclaims/v']),
  );
});
