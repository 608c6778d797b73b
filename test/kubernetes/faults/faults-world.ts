import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import type { Database } from '../../../src/db/database.ts';
import { openDatabase } from '../../../src/db/open-database.ts';
import { capsuleOf } from '../../../src/features/capsules/capsule-store.ts';
import { DemoClient } from '../../../src/programs/demo-client.ts';
import { KubeClient } from '../../../src/runtime/kubernetes/client/kube-client.ts';
import { loadKubeConfig } from '../../../src/runtime/kubernetes/client/load-kube-config.ts';
import { type Cluster, startCluster } from '../../cluster/cluster.ts';
import { dialectOf } from '../../databases/servers/database-server.ts';
import { testServer } from '../../databases/servers/test-server.ts';
import { createDatabase, dropDatabase } from '../../databases/test-database.ts';
import { freePort } from '../../system/engine/free-port.ts';
import { freePorts } from '../../system/engine/free-ports.ts';
import { until } from '../../system/engine/until.ts';
import { type ProgramName, ProgramProcess } from '../../system/programs/program-process.ts';
import { runCommandWell } from '../../system/run-command.ts';
import { makeTestNetwork } from '../test-network.ts';
import { CaughtCalls } from './caught-calls.ts';
import { KubeGate } from './kube-gate.ts';
import { TcpProxy } from './tcp-proxy.ts';

export type Cloud = 'zun' | 'zun-admin';

/** What tests read of a container or a capsule. */
export interface Seen {
  uuid: string;
  project_id: string;
  status: string;
  status_reason: string | null;
  /** Not shown of a capsule. */
  task_state?: string | null;
}

/** What the parts of a world are made of. */
interface Parts {
  cluster: Cluster;
  folder: string;
  database: Database;
  client: KubeClient;
  gate: KubeGate;
  proxy: TcpProxy;
  port: number;
  instance: string;
}

/**
 * A MariaDB, a node cluster, and the programs as processes on both. Workers reach the cluster by way of a proxy and a gate behind it, in
 * which tests cut, catch and forge; the API and the tests themselves reach it directly.
 */
export class FaultsWorld {
  readonly cluster: Cluster;
  readonly database: Database;
  /** The administrator's. */
  readonly client: KubeClient;
  readonly gate: KubeGate;
  readonly proxy: TcpProxy;
  readonly catches: CaughtCalls;
  /** The label of everything that this Zun makes. */
  readonly instance: string;
  readonly #parts: Parts;
  readonly #closing: (() => Promise<unknown>)[];
  readonly #programs: ProgramProcess[] = [];
  readonly #tokens: Partial<Record<Cloud, Promise<string>>> = {};

  private constructor(parts: Parts, closing: (() => Promise<unknown>)[]) {
    const { cluster, database, client, gate, proxy, instance } = parts;
    this.cluster = cluster;
    this.database = database;
    this.client = client;
    this.gate = gate;
    this.proxy = proxy;
    this.instance = instance;
    this.catches = new CaughtCalls((uuid) => this.ownerOf(uuid));
    this.#parts = parts;
    this.#closing = closing;
  }

  /** The schema is made; no program runs. */
  static async open(): Promise<FaultsWorld> {
    const closing: (() => Promise<unknown>)[] = [];
    try {
      const cluster = await startCluster({ mode: 'node' });
      closing.unshift(() => cluster.stop());
      const folder = await mkdtemp(join(tmpdir(), 'zun-faults-'));
      closing.unshift(() => rm(folder, { recursive: true, force: true }));
      const { server, release } = await testServer('mariadb');
      closing.unshift(release);
      const name = await createDatabase(server);
      closing.unshift(() => dropDatabase(server, name));
      const database = openDatabase(dialectOf(server, name));
      closing.unshift(() => database.close());
      const client = new KubeClient(loadKubeConfig({ kubeconfig: cluster.kubeconfig, context: null }));
      closing.unshift(() => client.close());
      const gate = await KubeGate.open(cluster.kubeconfig);
      closing.unshift(() => gate.close());
      const proxy = await TcpProxy.open(gate.port);
      closing.unshift(() => proxy.close());
      const instance = `f${randomBytes(4).toString('hex')}`;
      closing.unshift(() => cluster.kubectl('delete', 'namespace', '-l', `app.kubernetes.io/instance=${instance}`, '--wait=false'));
      const parts = { cluster, folder, database, client, gate, proxy, port: await freePorts(2), instance };
      const world = new FaultsWorld(parts, closing);
      const { user, password, host, port } = server.address(name);
      const networks = networkNamespace(instance);
      await cluster.kubectl('create', 'namespace', networks);
      await cluster.kubectl('label', 'namespace', networks, `app.kubernetes.io/instance=${instance}`);
      await makeTestNetwork(cluster, networks, instance);
      await world.#configure(`mysql+pymysql://${user}:${password}@${host}:${port}/${name}`);
      return world;
    } catch (error) {
      for (const close of closing) await close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#programs.map((program) => program.kill()));
    for (const close of this.#closing) await close();
  }

  async start(name: ProgramName): Promise<ProgramProcess> {
    const { folder } = this.#parts;
    const environment = {
      ZUN_CONFIG: join(folder, name === 'zun-compute' ? 'worker.yaml' : 'zun.yaml'),
      ZUN_DATA: join(folder, 'data'),
      ZUN_ADMIN_PORT: String(await freePort()),
    };
    const program = ProgramProcess.spawn(name, environment);
    this.#programs.push(program);
    await program.ready();
    return program;
  }

  /** Has a program end as its operator would. */
  async leave(program: ProgramProcess): Promise<void> {
    program.signal('SIGTERM');
    assert.equal(await program.ended(), 0, program.log);
  }

  /** Throws when nobody answers, not when the answer is a refusal. */
  async ask(method: string, path: string, body?: unknown, cloud: Cloud = 'zun'): Promise<{ status: number; text: string }> {
    const { port, folder } = this.#parts;
    this.#tokens[cloud] ??= DemoClient.login(join(folder, 'data/clouds.yaml'), cloud).then(({ token }) => token);
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        'x-auth-token': await this.#tokens[cloud],
        'openstack-api-version': 'container 1.40',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  }

  /** The JSON of an answer that is no refusal; `null` for an empty one. */
  async get<T>(method: string, path: string, body?: unknown, cloud: Cloud = 'zun'): Promise<T> {
    const { status, text } = await this.ask(method, path, body, cloud);
    assert.ok(status < 300, `${method} ${path}: ${status} ${text}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }

  /** A container's or a capsule's; `null` when it is not there. */
  async show(uuid: string, cloud: Cloud = 'zun'): Promise<Seen | null> {
    for (const kind of ['containers', 'capsules']) {
      const { status, text } = await this.ask('GET', `/v1/${kind}/${uuid}`, undefined, cloud);
      if (status === 200) return JSON.parse(text);
      assert.equal(status, 404, text);
    }
    return null;
  }

  /** Waits until what is shown is as wanted. */
  async shows(uuid: string, wanted: (seen: Seen) => boolean, seconds = 60, cloud: Cloud = 'zun'): Promise<Seen> {
    let last: Seen | null = null;
    const look = async () => {
      last = await this.show(uuid, cloud);
      return last && wanted(last) ? last : null;
    };
    return await until(`${uuid} is as it should be`, look, seconds * 1000).catch((cause) => {
      throw new Error(`${JSON.stringify(last)}\n${this.log}`, { cause });
    });
  }

  /** Waits until nothing is queued. */
  async settled(seconds = 180): Promise<void> {
    const left = () => this.database.queries.selectFrom('openkeel_task').select(['kind', 'subject', 'attempt', 'progress']).execute();
    await until('all tasks have ended', async () => ((await left()).length === 0 ? true : null), seconds * 1000).catch(async (cause) => {
      throw new Error(`left: ${JSON.stringify(await left())}\n${this.log}`, { cause });
    });
  }

  /** Of the uuid of a volume or of a container of a capsule the container or capsule; of any other the same. */
  async ownerOf(uuid: string): Promise<string> {
    const { queries } = this.database;
    const row = await queries
      .selectFrom('volume_mapping')
      .innerJoin('volume', 'volume.id', 'volume_mapping.volume_id')
      .select('container_uuid')
      .where('volume.uuid', '=', uuid)
      .executeTakeFirst();
    const container = row?.container_uuid ?? uuid;
    return (await capsuleOf(queries, container)) ?? container;
  }

  /** What all programs wrote to stderr. */
  get log(): string {
    return this.#programs.map(({ name, log }) => `--- ${name}\n${log.slice(-20_000)}`).join('\n');
  }

  /** Two files that differ in the way to the cluster alone; and the schema. */
  async #configure(databaseUrl: string): Promise<void> {
    const { cluster, folder, proxy, port, instance } = this.#parts;
    const document = JSON.parse(await readFile(cluster.kubeconfig, 'utf8'));
    document.clusters[0].cluster = { server: `http://127.0.0.1:${proxy.port}`, 'insecure-skip-tls-verify': true };
    const proxied = join(folder, 'proxied.kubeconfig');
    await writeFile(proxied, JSON.stringify(document), { mode: 0o600 });
    for (const [file, kubeconfig] of [
      ['zun.yaml', cluster.kubeconfig],
      ['worker.yaml', proxied],
    ] as const)
      await writeFile(join(folder, file), stringify(settingsOf({ cluster, databaseUrl, port, instance, kubeconfig })), { mode: 0o600 });
    await runCommandWell(resolve(import.meta.dirname, '../../../bin/zun-db-manage'), ['upgrade'], {
      env: { ...process.env, ZUN_CONFIG: join(folder, 'zun.yaml') },
    });
  }
}

/** Where the network is that is called as the instance. */
const networkNamespace = (instance: string): string => `${instance}-networks`;

/** A worker that died keeps its tasks for two seconds; rows are compared with the cluster twice a second. */
const settingsOf = (wish: { cluster: Cluster; databaseUrl: string; port: number; instance: string; kubeconfig: string }) => ({
  host: wish.cluster.nodeName,
  encryptionKey: 'faults-faults-faults-faults-faults',
  database: { url: wish.databaseUrl },
  api: { port: wish.port },
  runtime: { kind: 'kubernetes' },
  kubernetes: {
    kubeconfig: wish.kubeconfig,
    instance: wish.instance,
    namespacePrefix: `${wish.instance}-`,
    defaultRuntimeClass: 'runc',
    storageClass: 'test-hostpath',
    networkNamespace: networkNamespace(wish.instance),
    pullDeadlineSeconds: 120,
  },
  containers: { defaultImagePullPolicy: 'ifnotpresent', stopGraceSeconds: 2 },
  worker: { leaseSeconds: 2, concurrency: 64 },
  sync: { listIntervalMilliseconds: 500 },
  // A claim is of whole cores.
  allocationRatios: { cpu: 64 },
  quotas: { containers: -1, cpus: -1, memoryMiB: -1, diskGiB: -1 },
});
