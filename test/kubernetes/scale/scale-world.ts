import { randomBytes } from 'node:crypto';
import { defaultSettings, type Settings } from '../../../src/config/settings.ts';
import type { Database } from '../../../src/db/database.ts';
import { kubernetesAdapters } from '../../../src/programs/kubernetes-adapters.ts';
import type { LocalAdapters } from '../../../src/programs/local-adapters.ts';
import { KubeClient, type KubeObserver } from '../../../src/runtime/kubernetes/client/kube-client.ts';
import { loadKubeConfig } from '../../../src/runtime/kubernetes/client/load-kube-config.ts';
import { systemClock } from '../../../src/telemetry/clock.ts';
import { randomIds } from '../../../src/telemetry/ids.ts';
import { type Cluster, startCluster } from '../../cluster/cluster.ts';
import { playRestart } from './play-restart.ts';
import { populateCluster } from './populate-cluster.ts';
import { populateDatabase } from './populate-database.ts';
import { type Counts, type Member, Population } from './population.ts';

/** A control plane whose nodes KWOK plays, full of containers that run, with their rows in a database: nobody looks after it yet. */
export class ScaleWorld {
  readonly population: Population;
  readonly settings: Settings;
  readonly cluster: Cluster;
  /** The test's own, whose calls count for nobody. */
  readonly client: KubeClient;
  readonly #database: Database;
  /** Seconds since that the restart that is played next is told to be at. */
  #restarts = 0;

  private constructor(parts: { population: Population; settings: Settings; cluster: Cluster; client: KubeClient; database: Database }) {
    this.population = parts.population;
    this.settings = parts.settings;
    this.cluster = parts.cluster;
    this.client = parts.client;
    this.#database = parts.database;
  }

  static async open(counts: Counts, database: Database): Promise<ScaleWorld> {
    const cluster = await startCluster({ mode: 'control' });
    try {
      const instance = `s${randomBytes(4).toString('hex')}`;
      const settings = defaultSettings('scale');
      settings.runtime = { kind: 'kubernetes' };
      settings.kubernetes = { ...settings.kubernetes, kubeconfig: cluster.kubeconfig, instance, namespacePrefix: `${instance}-` };
      settings.kubernetes.defaultRuntimeClass = '';
      settings.sync = { listIntervalMilliseconds: 600_000 };
      const population = new Population(counts, runtimeSettingsOf(settings));
      const client = new KubeClient(loadKubeConfig(settings.kubernetes));
      const world = new ScaleWorld({ population, settings, cluster, client, database });
      await populateCluster(cluster, client, instance, population);
      const adapters = await world.adapters();
      await populateDatabase(database, population, await adapters.runtime.list());
      await adapters.close();
      return world;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** What a program has of the cluster; `observer` hears of its calls. */
  adapters(observer?: KubeObserver): Promise<LocalAdapters> {
    const { settings } = this;
    return kubernetesAdapters({
      ...{ settings, database: this.#database, clock: systemClock, ids: randomIds, node: null },
      ...(observer ? { observer } : {}),
    });
  }

  /** Has a container be run again: its Pod says so, and its row has to. */
  async restart(member: Pick<Member, 'namespace' | 'name'>): Promise<void> {
    this.#restarts += 1;
    await playRestart(this.client, member, Date.UTC(2030, 0, 1) + this.#restarts * 1000);
  }

  /** Changes of a Pod what says nothing of how its container is. */
  async touch({ namespace, name }: Member): Promise<void> {
    const body = { metadata: { annotations: { touched: randomBytes(4).toString('hex') } } };
    const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
    await this.client.request({ method: 'PATCH', path, body, contentType: 'application/merge-patch+json' });
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.cluster.stop();
  }
}

function runtimeSettingsOf({ kubernetes, containers, allocationRatios }: Settings) {
  return {
    ...{ instance: kubernetes.instance, namespacePrefix: kubernetes.namespacePrefix, stopGraceSeconds: containers.stopGraceSeconds },
    ...{ pullDeadlineSeconds: 300, runtimeClasses: {}, defaultRuntimeClass: null, splitsLogStreams: false, networkNamespace: '' },
    networkDeadlineSeconds: 60,
    allocationRatios: { cpu: allocationRatios.cpu, memory: allocationRatios.memory },
  };
}
