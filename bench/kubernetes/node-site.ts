import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { DemoClient } from '../../src/programs/demo-client.ts';
import { KubeClient } from '../../src/runtime/kubernetes/client/kube-client.ts';
import { loadKubeConfig } from '../../src/runtime/kubernetes/client/load-kube-config.ts';
import { projectNamespace } from '../../src/runtime/kubernetes/pod/project-namespace.ts';
import { type Cluster, startCluster } from '../../test/cluster/cluster.ts';
import { clusterPrograms } from '../../test/cluster/programs.ts';
import { removeData, standaloneChild } from '../standalone-child.ts';

/** A real node, and a standalone Zun that puts containers on it. */
export interface NodeSite {
  cluster: Cluster;
  /** Of the administrator, who may name a runtime. */
  zun: DemoClient;
  /** Where its metrics are. */
  metricsUrl: string;
  /** Namespace of the administrator's project. */
  namespace: string;
  kube: KubeClient;
  /** The cluster's own kubectl, with what it needs to be told. */
  kubectl: { program: string; environment: Record<string, string> };
  close(): Promise<void>;
}

export async function openNodeSite(): Promise<NodeSite> {
  const stack = new AsyncDisposableStack();
  try {
    const cluster = await startCluster({ mode: 'node' });
    stack.defer(() => cluster.stop());
    const dataFolder = await mkdtemp(join(tmpdir(), 'zun-bench-'));
    stack.defer(() => removeData(dataFolder));
    const instance = `b${randomBytes(4).toString('hex')}`;
    const namespacePrefix = `${instance}-`;
    const kubernetes = {
      ...{ kubeconfig: cluster.kubeconfig, instance, namespacePrefix, defaultRuntimeClass: 'runc' },
      runtimeClasses: { runc: 'runc', gvisor: 'gvisor' },
    };
    await writeFile(join(dataFolder, 'zun.yaml'), stringify({ host: cluster.nodeName, runtime: { kind: 'kubernetes' }, kubernetes }));
    const child = await standaloneChild({}, dataFolder);
    stack.defer(() => child.stop());
    // Whoever names a runtime has to be an administrator.
    const zun = await DemoClient.login(child.cloudsFile, 'zun-admin');
    const kube = new KubeClient(loadKubeConfig({ kubeconfig: cluster.kubeconfig, context: null }));
    const labelled = `app.kubernetes.io/instance=${instance}`;
    stack.defer(async () => {
      await kube.close();
      await cluster.kubectl('delete', 'namespace', '--selector', labelled, '--wait=false', '--ignore-not-found');
    });
    const { programs } = await clusterPrograms();
    const { port, hostname } = new URL(child.url);
    const whole = stack.move();
    return {
      ...{ cluster, zun, kube, metricsUrl: `http://${hostname}:${Number(port) + 3}/metrics` },
      namespace: projectNamespace(namespacePrefix, zun.projectId),
      kubectl: {
        program: join(programs, 'kubectl'),
        environment: { KUBECONFIG: cluster.kubeconfig, KUBECACHEDIR: join(dataFolder, 'kubectl-cache') },
      },
      close: () => whole.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}
