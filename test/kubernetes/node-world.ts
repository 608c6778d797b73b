import { randomBytes } from 'node:crypto';
import { KubeClient } from '../../src/runtime/kubernetes/client/kube-client.ts';
import { loadKubeConfig } from '../../src/runtime/kubernetes/client/load-kube-config.ts';
import { untilOldEnough } from '../../src/runtime/kubernetes/end-in-place.ts';
import type { KubePod } from '../../src/runtime/kubernetes/kube-object.ts';
import { AgentNodeAccess } from '../../src/runtime/kubernetes/node/agent-node-access.ts';
import type { ContainerRef, NodeAccess } from '../../src/runtime/kubernetes/node/node-access.ts';
import { systemClock } from '../../src/telemetry/clock.ts';
import { type Cluster, startCluster } from '../cluster/cluster.ts';
import { until } from '../system/engine/until.ts';
import { startNodeAgent } from './node-agent.ts';

export interface TestPod {
  /** For `sh -c`. */
  script: string;
  runtimeClass: string;
  image?: string;
  imagePullPolicy?: 'Never' | 'Always';
  restartPolicy?: 'Always';
  graceSeconds?: number;
}

/** A namespace of the test cluster with a node agent and Pods of one container, `main`. */
export class NodeWorld {
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly access: NodeAccess;
  readonly #client: KubeClient;

  private constructor(cluster: Cluster, namespace: string, client: KubeClient, access: NodeAccess) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.#client = client;
    this.access = access;
  }

  static async start(): Promise<NodeWorld> {
    const cluster = await startCluster({ mode: 'node' });
    const namespace = `node-${randomBytes(4).toString('hex')}`;
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await until('Pods have a service account', () => cluster.kubectl('-n', namespace, 'get', 'serviceaccount', 'default'));
    const client = new KubeClient(loadKubeConfig({ kubeconfig: cluster.kubeconfig, context: null }));
    const access = (await startNodeAgent(cluster, namespace))(client);
    return new NodeWorld(cluster, namespace, client, access);
  }

  async stop(): Promise<void> {
    await this.#client.close();
    await this.cluster.kubectl('delete', 'namespace', this.namespace, '--wait=false');
    await this.cluster.stop();
  }

  /** A way to ask the node that differs in where it looks for the agent, or in what it runs there. */
  accessBy(differs: { selector?: string; command?: string[] }): NodeAccess {
    const { namespace } = this;
    const usual = { selector: 'app.kubernetes.io/name=zun-compute-agent', command: ['zun', 'node'] };
    return new AgentNodeAccess({ client: this.#client, clock: systemClock, namespace, ...usual, ...differs });
  }

  /** Runs a Pod and waits until its container runs; answers where it is on the node. */
  async run(name: string, asked: TestPod): Promise<ContainerRef> {
    const main = {
      name: 'main',
      image: asked.image ?? `${this.cluster.registry}/busybox:1`,
      imagePullPolicy: asked.imagePullPolicy ?? 'IfNotPresent',
      command: ['sh', '-c', asked.script],
    };
    const spec = {
      restartPolicy: asked.restartPolicy ?? 'Never',
      terminationGracePeriodSeconds: asked.graceSeconds ?? 2,
      runtimeClassName: asked.runtimeClass,
      automountServiceAccountToken: false,
      containers: [main],
    };
    const metadata = { name, namespace: this.namespace };
    await this.cluster.apply({ apiVersion: 'v1', kind: 'Pod', metadata, spec });
    return await until(`Pod ${name} runs`, () => this.ref(name), 90_000);
  }

  /** Where the running container of a Pod is; `null` when none runs. */
  async ref(name: string): Promise<ContainerRef | null> {
    const status = (await this.pod(name)).status?.containerStatuses?.[0];
    return status?.state?.running
      ? { node: this.cluster.nodeName, containerId: (status.containerID ?? '').replace('containerd://', '') }
      : null;
  }

  async pod(name: string): Promise<KubePod> {
    return JSON.parse(await this.#kubectl('get', 'pod', name, '--output=json'));
  }

  /** What kept the container of a Pod that has ended, once it has. */
  async end(name: string): Promise<{ phase: string; reason: string; exitCode: number; restarts: number }> {
    return await until(
      `Pod ${name} ends`,
      async () => {
        const { status } = await this.pod(name);
        const [container] = status?.containerStatuses ?? [];
        const { terminated } = container?.state ?? {};
        const phase = status?.phase ?? '';
        if (!terminated || !['Failed', 'Succeeded'].includes(phase)) return null;
        return { phase, reason: status?.reason ?? '', exitCode: terminated.exitCode, restarts: container?.restartCount ?? 0 };
      },
      60_000,
    );
  }

  /** Of a Pod that is old enough for that to hold at once. */
  async endInPlace(name: string): Promise<void> {
    await untilOldEnough({ clock: systemClock }, await this.pod(name));
    await this.#kubectl('patch', 'pod', name, '--type=merge', '--patch={"spec":{"activeDeadlineSeconds":1}}');
  }

  async remove(name: string): Promise<void> {
    await this.#kubectl('delete', 'pod', name, '--grace-period=0', '--force');
  }

  logs(name: string): Promise<string> {
    return this.#kubectl('logs', name);
  }

  /** Waits until the log has the text. */
  async logged(name: string, text: string): Promise<void> {
    await until(`${name} logs ${text}`, async () => ((await this.logs(name)).includes(text) ? true : null), 60_000);
  }

  /** Runs a script in a Pod; throws when it fails. */
  exec(name: string, script: string): Promise<string> {
    return this.#kubectl('exec', name, '--', 'sh', '-c', script);
  }

  #kubectl(...args: string[]): Promise<string> {
    return this.cluster.kubectl('--namespace', this.namespace, ...args);
  }
}
