import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { parseSettings } from '../../../src/config/parse-settings.ts';
import { defaultSettings, type Settings } from '../../../src/config/settings.ts';
import { kubernetesAdapters } from '../../../src/programs/kubernetes-adapters.ts';
import type { LocalAdapters } from '../../../src/programs/local-adapters.ts';
import type { KubeObserver } from '../../../src/runtime/kubernetes/client/kube-client.ts';
import { systemClock } from '../../../src/telemetry/clock.ts';
import { randomIds } from '../../../src/telemetry/ids.ts';
import { type Cluster, startCluster } from '../../cluster/cluster.ts';
import { sqliteSource, type TestDatabase } from '../../databases/test-database.ts';
import { until } from '../../system/engine/until.ts';
import { type Manifest, releaseNamespace, renderedChart } from './rendered-chart.ts';

const kindsOfRights = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding', 'ServiceAccount'];
const kindsOfPolicies = ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'];

/** The words of the policies when somebody acts where Zun has no business. */
export const kept = /Zun (writes to its|binds roles in its|makes) namespaces of projects only/;

/** A program of the chart. */
export type Program = 'api' | 'compute' | 'compute-agent' | 'wsproxy';

/** A control plane with what a release of the chart, named zun, gives its service accounts, and the programs as these. */
export class ChartAccounts {
  readonly cluster: Cluster;
  /** What the chart makes. */
  readonly objects: Manifest[];
  readonly #database: TestDatabase;
  readonly #open: LocalAdapters[] = [];

  private constructor(cluster: Cluster, objects: Manifest[], database: TestDatabase) {
    this.cluster = cluster;
    this.objects = objects;
    this.#database = database;
  }

  /** `values` as for the chart; `namespaces` that are there before it. Returns when the policies are in force. */
  static async install(values: object, namespaces: readonly string[] = []): Promise<ChartAccounts> {
    const cluster = await startCluster({ mode: 'control' });
    try {
      for (const namespace of [releaseNamespace, ...namespaces]) await cluster.kubectl('create', 'namespace', namespace);
      const accounts = new ChartAccounts(cluster, await renderedChart(cluster, values), await sqliteSource.open());
      await accounts.applyKinds(kindsOfRights);
      await accounts.applyKinds(kindsOfPolicies);
      await until('the policies are in force', async () => ((await accounts.#areInForce()) ? true : null));
      return accounts;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** Makes the chart's objects of these kinds (again). */
  async applyKinds(kinds: readonly string[]): Promise<void> {
    const objects = this.objects.filter(({ kind }) => kinds.includes(kind));
    // Helm knows of which namespace an object is that does not say it; others heed it where there is none.
    await this.cluster.apply(...objects.map((object) => ({ ...object, metadata: { namespace: releaseNamespace, ...object.metadata } })));
  }

  /** What kubectl prints for the service account of the program. */
  async as(program: Program, ...args: string[]): Promise<string> {
    const account = `system:serviceaccount:${releaseNamespace}:zun-${program}`;
    const { stdout, stderr } = await this.cluster.exec(['kubectl', `--as=${account}`, '--as-group=system:serviceaccounts', ...args]);
    return stdout + stderr;
  }

  /** The adapters of the program, with the configuration that the chart gives it, and its service account's token. */
  async adapters(program: Program, observer?: KubeObserver, change: (settings: Settings) => void = () => {}): Promise<LocalAdapters> {
    const file = this.objects.find(({ metadata }) => metadata.name === 'zun-configuration')?.data?.['zun.yaml'] ?? '';
    const { settings } = parseSettings(file, 'zun.yaml', defaultSettings('test'));
    settings.kubernetes.kubeconfig = await this.#kubeconfig(program);
    change(settings);
    const adapters = await kubernetesAdapters({
      ...{ settings, database: this.#database, clock: systemClock, ids: randomIds },
      node: program === 'compute-agent' ? 'fake1' : null,
      ...(observer ? { observer } : {}),
    });
    this.#open.push(adapters);
    return adapters;
  }

  /** Has the programs know whose the container is. */
  async addRow(uuid: string, projectId: string): Promise<void> {
    await this.#database.queries.insertInto('container').values({ uuid, project_id: projectId, container_type: 0 }).execute();
  }

  async remove(): Promise<void> {
    for (const adapters of this.#open) await adapters.close();
    await this.#database.close();
    await this.cluster.stop();
  }

  async #kubeconfig(program: Program): Promise<string> {
    const config = parse(await readFile(this.cluster.kubeconfig, 'utf8'));
    const token = await this.cluster.kubectl('create', 'token', `zun-${program}`, `--namespace=${releaseNamespace}`);
    config.users[0].user = { token: token.trim() };
    const file = path.join(this.cluster.folder, `${program}.kubeconfig`);
    await writeFile(file, JSON.stringify(config));
    return file;
  }

  /** The API server heeds a new policy after a moment, each by itself. */
  async #areInForce(): Promise<boolean> {
    const dryRun = ['--dry-run=server', '--as=system:serviceaccount:zun-system:zun-compute', '--as-group=system:masters'];
    const tries = [
      ['create', 'secret', 'generic', 'a', '--namespace=kube-system'],
      ['create', 'rolebinding', 'a', '--namespace=kube-system', '--clusterrole=view', '--user=a'],
      ['create', 'namespace', 'a'],
    ];
    const said = await Promise.all(tries.map((words) => this.cluster.exec(['kubectl', ...words, ...dryRun])));
    return said.every(({ stderr }) => kept.test(stderr));
  }
}
