import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Database } from '../../src/db/database.ts';
import { openSecrets } from '../../src/local/identity/local-secrets.ts';
import { databaseTime } from '../../src/telemetry/database-time.ts';
import { randomIds } from '../../src/telemetry/ids.ts';
import { ScaleWorld } from '../../test/kubernetes/scale/scale-world.ts';
import { freePorts } from '../../test/system/engine/free-ports.ts';
import { benchDatabase } from './bench-database.ts';

/** Agents report so often; here one statement does for all of them. Milliseconds. */
const reportInterval = 30_000;

/** A played cluster, a MariaDB with its rows, and what programs are started with. The demo user's project has its share of the containers. */
export interface ScaleSite {
  world: ScaleWorld;
  database: Database;
  environment: Record<string, string>;
  cloudsFile: string;
  demoProject: string;
  close(): Promise<void>;
}

export async function openScaleSite(containers: number, nodes: number, say: (line: string) => void): Promise<ScaleSite> {
  const stack = new AsyncDisposableStack();
  try {
    const folder = await mkdtemp(join(tmpdir(), 'zun-bench-'));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const { database, url } = await benchDatabase(stack);
    const { projects } = await openSecrets(folder, randomIds);
    const began = performance.now();
    const others = Array.from({ length: 19 }, (_, index) => String(index).padStart(32, 'a'));
    const world = await ScaleWorld.open({ containers, nodes, projects: [projects.demo.id, ...others] }, database);
    stack.defer(() => world.close());
    say(`made ${containers} containers on ${nodes} nodes in ${Math.round((performance.now() - began) / 1000)} s`);
    const reports = setInterval(() => void report(database).catch(() => {}), reportInterval);
    stack.defer(() => clearInterval(reports));
    const { kubeconfig, instance, namespacePrefix } = world.settings.kubernetes;
    const settings = {
      encryptionKey: '0123456789abcdef0123456789abcdef',
      database: { url },
      api: { port: await freePorts(2) },
      runtime: { kind: 'kubernetes' },
      kubernetes: { kubeconfig, instance, namespacePrefix, defaultRuntimeClass: '' },
    };
    const config = join(folder, 'zun.yaml');
    await writeFile(config, stringify(settings), { mode: 0o600 });
    const environment = { ZUN_CONFIG: config, ZUN_DATA: folder, ZUN_LOG: 'error', ZUN_DATABASE: '' };
    const whole = stack.move();
    return {
      ...{ world, database, environment, cloudsFile: join(folder, 'clouds.yaml'), demoProject: projects.demo.id },
      close: () => whole.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** All nodes say that they live. */
async function report({ queries }: Database): Promise<void> {
  await queries
    .updateTable('zun_service')
    .set((row) => ({ report_count: row('report_count', '+', 1), last_seen_up: databaseTime(Date.now()) }))
    .execute();
}
