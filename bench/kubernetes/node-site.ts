import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DemoClient } from '../../src/programs/demo-client.ts';
import { KubeClient } from '../../src/runtime/kubernetes/client/kube-client.ts';
import { loadKubeConfig } from '../../src/runtime/kubernetes/client/load-kube-config.ts';
import { projectNamespace } from '../../src/runtime/kubernetes/pod/project-namespace.ts';
import { startCluster } from '../../test/cluster/cluster.ts';
import { clusterPrograms } from '../../test/cluster/programs.ts';
import { removeData } from '../standalone-child.ts';
import { startStandaloneZun, startZunPrograms } from './start-zun.ts';

/** A real node, and a Zun that puts containers on it. */
export interface NodeSite {
  /** Of the administrator, who may name a runtime. */
  zun: DemoClient;
  /** Where its metrics are. */
  metricsUrl: string;
  /** One that the node has. */
  image: string;
  /** Namespace of the administrator's project. */
  namespace: string;
  kube: KubeClient;
  /** The cluster's own kubectl, with what it needs to be told. */
  kubectl: { program: string; environment: Record<string, string> };
  close(): Promise<void>;
}

/** `asPrograms`: API, worker and agent in processes of their own, and no standalone. */
export async function openNodeSite(asPrograms: boolean): Promise<NodeSite> {
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
    const settings = { host: cluster.nodeName, runtime: { kind: 'kubernetes' }, kubernetes };
    const { cloudsFile, metricsUrl } = await (asPrograms ? startZunPrograms : startStandaloneZun)(dataFolder, settings, stack);
    // Whoever names a runtime has to be an administrator.
    const zun = await DemoClient.login(cloudsFile, 'zun-admin');
    const kube = new KubeClient(loadKubeConfig({ kubeconfig: cluster.kubeconfig, context: null }));
    const labelled = `app.kubernetes.io/instance=${instance}`;
    stack.defer(async () => {
      await kube.close();
      await cluster.kubectl('delete', 'namespace', '--selector', labelled, '--wait=false', '--ignore-not-found');
    });
    const { programs } = await clusterPrograms();
    const whole = stack.move();
    return {
      ...{ zun, kube, metricsUrl, image: `${cluster.registry}/busybox:1` },
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
