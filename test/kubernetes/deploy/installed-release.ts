import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ContainerImage } from '../../../src/local/busybox-image/container-image.ts';
import { imageArchive } from '../../../src/local/busybox-image/image-archive.ts';
import { zunImage } from '../../../tools/image/zun-image.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { until } from '../../system/engine/until.ts';
import { testCache } from '../../system/test-cache.ts';
import { mariadbImage } from './mariadb-image.ts';
import { chartFolder, helm, valuesFile } from './rendered-chart.ts';
import { ServiceClient } from './service-client.ts';

const root = path.join(import.meta.dirname, '../../..');
const images = { zun: 'zun.test/zun', mariadb: 'zun.test/mariadb:1' };
const release = 'zun';

/** The chart, installed on a cluster in a namespace of its own, with a MariaDB beside it. */
export class InstalledRelease {
  readonly namespace: string;
  /** What the namespaces of its projects begin with. */
  readonly prefix: string;
  readonly #cluster: Cluster;
  readonly #values: object;

  private constructor(cluster: Cluster, name: string, databaseAddress: string) {
    this.#cluster = cluster;
    this.namespace = name;
    this.prefix = `${name}-`;
    this.#values = {
      image: { repository: images.zun, tag: 'test', pullPolicy: 'Never' },
      secrets: { databaseUrl: `mysql://zun:zun@${databaseAddress}/zun`, encryptionKey: '0123456789abcdef0123456789abcdef' },
      config: { kubernetes: { namespacePrefix: this.prefix, instance: name, defaultRuntimeClass: 'runc', storageClass: 'test-hostpath' } },
    };
  }

  /** Nothing of Zun is installed yet; the images are on the node and the database answers. */
  static async prepare(cluster: Cluster): Promise<InstalledRelease> {
    const name = `d${randomBytes(4).toString('hex')}`;
    await load(cluster, `${images.zun}:test`, await zunImage({ root, node: process.execPath, cache: await testCache('image') }));
    await load(cluster, images.mariadb, await mariadbImage());
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, ...databaseObjects(name));
    await cluster.kubectl('wait', '--for=condition=Ready', '--timeout=60s', `--namespace=${name}`, 'pod/database');
    const [address] = await jsonpath(cluster, name, 'service/database', '{.spec.clusterIP}');
    return new InstalledRelease(cluster, name, address ?? '');
  }

  /** Installs the release, or changes the one that is there, and waits until all its Pods are ready. `more` wins over the values. */
  async install(more: object = {}): Promise<void> {
    const values = [await valuesFile(this.#cluster, this.#values), await valuesFile(this.#cluster, more)];
    const options = ['--namespace', this.namespace, '--wait', '--timeout', '4m', ...values.flatMap((file) => ['--values', file])];
    await helm(this.#cluster, 'upgrade', '--install', release, chartFolder, ...options).catch(async (error) => {
      throw new Error(`${error.message}\n${await this.state()}`, { cause: error });
    });
  }

  async uninstall(): Promise<void> {
    await helm(this.#cluster, 'uninstall', release, '--namespace', this.namespace, '--wait', '--timeout', '2m');
  }

  /** A user of the release, with the password that its Secret has. */
  async login(user: 'demo' | 'admin'): Promise<ServiceClient> {
    const [address = ''] = await jsonpath(this.#cluster, this.namespace, 'service/zun-api', '{.spec.clusterIP}');
    const [secret = ''] = await jsonpath(this.#cluster, this.namespace, 'secret/zun-identity', '{.data.identity\\.json}');
    const { users } = JSON.parse(Buffer.from(secret, 'base64').toString());
    // The addresses of new Pods reach the node's rules a moment after the Pods are ready.
    return until('somebody logs in', () => ServiceClient.login(this.#cluster, address, user, users[user].password));
  }

  /** An address of a console, of which the API has said the Service's name, as it is reached without the cluster's names. */
  async consoleUrl(said: string): Promise<string> {
    const named = `ws://zun-wsproxy.${this.namespace}.svc:6784/?`;
    if (!said.startsWith(named)) throw new Error(`${said} is no address of a console at the Service`);
    const [address = ''] = await jsonpath(this.#cluster, this.namespace, 'service/zun-wsproxy', '{.spec.clusterIP}');
    return said.replace(`zun-wsproxy.${this.namespace}.svc`, address);
  }

  /** Names of the release's Pods of one program. */
  pods(program: string): Promise<string[]> {
    return jsonpath(this.#cluster, this.namespace, `pods --selector=app.kubernetes.io/name=zun-${program}`, '{.items[*].metadata.name}');
  }

  /** Names of the Pods of its users, with their namespaces. */
  userPods(): Promise<string[]> {
    const selector = `app.kubernetes.io/instance=${this.namespace},zun.openstack.org/workload`;
    return jsonpath(this.#cluster, null, `pods --selector=${selector}`, '{range .items[*]}{.metadata.namespace}/{.metadata.name} {end}');
  }

  /** What its programs wrote so far, those that run now. */
  async logs(): Promise<string> {
    const programs = ['api', 'compute', 'compute-agent', 'wsproxy'];
    const ask = (program: string) =>
      this.#cluster.kubectl(
        'logs',
        `--namespace=${this.namespace}`,
        `--selector=app.kubernetes.io/name=zun-${program}`,
        '--tail=-1',
        '--prefix',
      );
    return (await Promise.all(programs.map(ask))).join('\n');
  }

  /** For messages: Pods and what they wrote. */
  async state(): Promise<string> {
    const ask = (...args: string[]) => this.#cluster.kubectl(...args, `--namespace=${this.namespace}`).catch(String);
    const logs = ['api', 'compute', 'compute-agent', 'wsproxy', 'database-upgrade'].map((program) =>
      ask('logs', `--selector=app.kubernetes.io/name=zun-${program}`, '--tail=40', '--prefix'),
    );
    return [
      await ask('get', 'pods', '--output=wide'),
      await ask('get', 'events', '--sort-by=.lastTimestamp'),
      ...(await Promise.all(logs)),
    ].join('\n');
  }

  /** Removes everything of it and of its users. */
  async remove(): Promise<void> {
    if ((await this.#cluster.exec(['helm', 'status', release, '--namespace', this.namespace])).exitCode === 0) await this.uninstall();
    const own = `app.kubernetes.io/managed-by=zun,app.kubernetes.io/instance=${this.namespace}`;
    await this.#cluster.kubectl('delete', 'namespace', `--selector=${own}`, '--wait=false');
    await this.#cluster.kubectl('delete', 'namespace', this.namespace, '--wait=false');
  }
}

async function jsonpath(cluster: Cluster, namespace: string | null, what: string, query: string): Promise<string[]> {
  const where = namespace === null ? '--all-namespaces' : `--namespace=${namespace}`;
  const printed = await cluster.kubectl('get', ...what.split(' '), where, `--output=jsonpath=${query}`);
  return printed.split(' ').filter((word) => word !== '');
}

async function load(cluster: Cluster, reference: string, image: ContainerImage): Promise<void> {
  const file = path.join(cluster.folder, `image-${randomBytes(4).toString('hex')}.tar`);
  try {
    await writeFile(file, await imageArchive(image, [reference]));
    await cluster.loadImage(file);
  } finally {
    await rm(file, { force: true });
  }
}

function databaseObjects(namespace: string): object[] {
  const labels = { app: 'database' };
  const container = {
    name: 'mariadb',
    image: images.mariadb,
    imagePullPolicy: 'Never',
    ports: [{ containerPort: 3306 }],
    readinessProbe: { tcpSocket: { port: 3306 }, periodSeconds: 1 },
  };
  return [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'database', namespace, labels },
      spec: { containers: [container], enableServiceLinks: false },
    },
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'database', namespace }, spec: { selector: labels, ports: [{ port: 3306 }] } },
  ];
}
