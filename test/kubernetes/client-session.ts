import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { KubeClient } from '../../src/runtime/kubernetes/client/kube-client.ts';
import { loadKubeConfig } from '../../src/runtime/kubernetes/client/load-kube-config.ts';
import { ProjectNamespaces } from '../../src/runtime/kubernetes/project-namespaces.ts';
import { type Cluster, startCluster } from '../cluster/cluster.ts';
import { type CloudName, PythonSession } from '../system/cli/python-session.ts';
import { until } from '../system/engine/until.ts';
import { StandaloneProcess } from '../system/standalone-process.ts';
import { startNodeAgent } from './node-agent.ts';

/** What the API says of a container, as far as tests look at it. */
export interface ContainerView extends Record<string, unknown> {
  uuid: string;
  status: string;
  status_reason: string | null;
  status_detail: string | null;
  task_state: string | null;
  addresses: Record<string, { addr: string }[]> | null;
}

/** `npm start` on the test cluster, and the clients that users have. */
export class ClientSession {
  readonly cluster: Cluster;
  readonly standalone: StandaloneProcess;
  readonly image: string;
  /** Of everything this Zun makes. */
  readonly instance: string;
  readonly #python: PythonSession;
  readonly #closing: (() => Promise<unknown>)[];

  private constructor(
    parts: Pick<ClientSession, 'cluster' | 'standalone' | 'instance'>,
    python: PythonSession,
    closing: (() => Promise<unknown>)[],
  ) {
    this.cluster = parts.cluster;
    this.standalone = parts.standalone;
    this.instance = parts.instance;
    this.image = `${parts.cluster.registry}/busybox:1`;
    this.#python = python;
    this.#closing = closing;
  }

  /** `settings`: of the configuration, beside or in place of the usual ones. */
  static async open(name: string, settings: { kubernetes?: object; deadlines?: object } = {}): Promise<ClientSession> {
    const closing: (() => Promise<unknown>)[] = [];
    const cluster = await startCluster({ mode: 'node' });
    try {
      const folder = await mkdtemp(join(tmpdir(), 'zun-kube-'));
      closing.unshift(() => rm(folder, { recursive: true, force: true }));
      closing.unshift(() => cluster.kubectl('delete', 'namespace', '-l', `app.kubernetes.io/instance=${name}`, '--wait=false'));
      const agentNamespace = `${name}-agent`;
      await withAgent(cluster, name, agentNamespace);
      const config = join(folder, 'zun.yaml');
      await writeFile(config, stringify(configuration(cluster, name, agentNamespace, settings)));
      const standalone = await StandaloneProcess.start({ environment: { ZUN_CONFIG: config, DOCKER_HOST: '' } });
      closing.unshift(() => standalone.close());
      const python = await PythonSession.open(standalone.cloudsFile);
      closing.unshift(() => python.close());
      return new ClientSession({ cluster, standalone, instance: name }, python, closing);
    } catch (error) {
      for (const close of closing) await close();
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const close of this.#closing) await close();
  }

  /** What `openstack ARGUMENT…` prints; throws with what it complained about. */
  openstack(...argv: string[]): Promise<string> {
    return this.openstackAs('zun', ...argv);
  }

  async openstackAs(cloud: CloudName, ...argv: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.#python.openstack(cloud, argv);
    if (exitCode !== 0) throw new Error(`openstack ${argv.join(' ')} ended with ${exitCode}:\n${stderr}${stdout}\n${this.standalone.log}`);
    return stdout;
  }

  http(cloud: CloudName, method: string, path: string, body: unknown = null) {
    return this.#python.http(cloud, method, path, body);
  }

  async show(container: string, cloud: CloudName = 'zun'): Promise<ContainerView> {
    const answer = await this.http(cloud, 'GET', `/v1/containers/${container}`);
    if (answer.status !== 200) throw new Error(`${container}: ${answer.status} ${answer.text}`);
    return JSON.parse(answer.text) as ContainerView;
  }

  /** Waits until no task works on the container and its status is this. */
  async until(container: string, status: string, cloud: CloudName = 'zun'): Promise<ContainerView> {
    let last: ContainerView | null = null;
    return until(
      `${container} is ${status}`,
      async () => {
        last = await this.show(container, cloud);
        return last.status === status && last.task_state === null ? last : null;
      },
      120_000,
    ).catch((error) => {
      throw new Error(`${error.message}: ${JSON.stringify(last)}\n${this.standalone.log}`, { cause: error });
    });
  }

  /** Waits until the container runs or has failed. */
  async untilSettled(container: string): Promise<ContainerView> {
    const settled = async () => {
      const seen = await this.show(container);
      return seen.task_state === null && ['Running', 'Error'].includes(seen.status) ? seen : null;
    };
    return until(`${container} runs or has failed`, settled, 120_000);
  }

  async untilGone(path: string, cloud: CloudName = 'zun'): Promise<void> {
    const isGone = async () => ((await this.http(cloud, 'GET', path)).status === 404 ? true : null);
    await until(`${path} is gone`, isGone, 120_000);
  }

  /** Names of what the cluster holds of containers and capsules by UUID: `pod/zun-…`, `secret/zun-…`. */
  async objectsOf(...uuids: string[]): Promise<string[]> {
    const selector = `app.kubernetes.io/instance=${this.instance},zun.openstack.org/workload in (${uuids.join(',')})`;
    const listed = await this.cluster.kubectl('get', 'pods,secrets', '-A', '-l', selector, '-o', 'name');
    return listed.split('\n').filter((line) => line !== '');
  }
}

async function withAgent(cluster: Cluster, instance: string, namespace: string): Promise<void> {
  const client = new KubeClient(loadKubeConfig({ kubeconfig: cluster.kubeconfig, context: null }));
  try {
    await new ProjectNamespaces(client, instance).ensure(namespace, 'agent');
  } finally {
    await client.close();
  }
  await until('Pods have a service account', () => cluster.kubectl('-n', namespace, 'get', 'serviceaccount', 'default'));
  await startNodeAgent(cluster, namespace);
}

function configuration(
  cluster: Cluster,
  instance: string,
  agentNamespace: string,
  { kubernetes, ...others }: { kubernetes?: object; deadlines?: object },
) {
  return {
    ...others,
    host: cluster.nodeName,
    runtime: { kind: 'kubernetes' },
    kubernetes: {
      kubeconfig: cluster.kubeconfig,
      instance,
      namespacePrefix: `${instance}-`,
      defaultRuntimeClass: 'runc',
      runtimeClasses: { runc: 'runc', gvisor: 'gvisor', kata: 'kata' },
      nodeAccess: true,
      agentNamespace,
      storageClass: 'test-hostpath',
      splitsLogStreams: true,
      ...kubernetes,
    },
  };
}
