import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { databaseCheck, identityCheck } from '../admin/dependency-checks.ts';
import { programMetrics } from '../admin/program-metrics.ts';
import { withTraces } from '../admin/with-traces.ts';
import { type Agent, type AgentOptions, startAgent } from '../agent/agent.ts';
import type { Environment } from '../config/environment.ts';
import type { Settings } from '../config/settings.ts';
import { standaloneSettings } from '../config/standalone-settings.ts';
import { Fernet } from '../crypto/fernet.ts';
import { sqlite } from '../db/dialect.ts';
import { dialectFromUrl } from '../db/dialect-from-url.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { containerUuids } from '../features/containers/container-store.ts';
import { openDataFolder } from '../local/data-folder.ts';
import { identityServer } from '../local/identity/identity-server.ts';
import { LocalIdentity } from '../local/identity/local-identity.ts';
import { openSecrets, writePrivately } from '../local/identity/local-secrets.ts';
import { writeCloudsFile } from '../local/identity/write-clouds-file.ts';
import { LocalInventory } from '../local/inventory/local-inventory.ts';
import { systemClock } from '../telemetry/clock.ts';
import { createLogger } from '../telemetry/create-logger.ts';
import { randomIds } from '../telemetry/ids.ts';
import { RequestScope } from '../telemetry/request-scope.ts';
import { RequestTraces } from '../telemetry/request-traces.ts';
import { closeServer } from './close-server.ts';
import { type LocalAdapters, localAdapters } from './local-adapters.ts';
import { startAdmin } from './start-admin.ts';
import { startTraces } from './start-traces.ts';
import { type ZunCore, zunCore } from './zun-core.ts';

export interface StandaloneOptions {
  environment: Environment;
  hostname: string;
  /** Lines for the operator while something takes time. */
  progress(line: string): void;
}

export interface RunningStandalone {
  /** How to use it, and the line `ready <url> clouds=<file>`. */
  welcome: string;
  url: string;
  cloudsFile: string;
  core: ZunCore;
  /** Finishes or hands back running tasks, within 10 s. */
  stop(): Promise<void>;
}

/** Running tasks get so long to end before they are handed back, in milliseconds. */
const taskGrace = 3_000;

/**
 * Starts API, worker, node agent and identity in this process on SQLite and the machine's container engine.
 * Throws an `Error` in words for the operator, with nothing left running.
 */
export async function startStandalone(options: StandaloneOptions): Promise<RunningStandalone> {
  const cleanup = new Cleanup();
  try {
    return await start(options, cleanup);
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

async function start(options: StandaloneOptions, cleanup: Cleanup): Promise<RunningStandalone> {
  const { environment } = options;
  const [clock, ids] = [systemClock, randomIds];
  const scope = new RequestScope();
  const { settings } = standaloneSettings(options);
  const logger = createLogger({ level: settings.log.level, scope });
  if (environment.traces) cleanup.add(await startTraces());
  const measured = programMetrics(clock, logger);
  const observers = environment.traces ? withTraces(measured, new RequestTraces(), scope, clock) : measured;
  const folder = await openDataFolder(environment.dataFolder);
  cleanup.add(() => folder.release());

  const dialect = settings.databaseUrl === null ? sqlite(join(folder.path, 'zun.sqlite')) : dialectFromUrl(settings.databaseUrl);
  const database = observers.database.observed(openDatabase(dialect, observers.database.onQuery));
  cleanup.add(() => database.close());
  await migrate(database, dialect);
  observers.watchQueue(database);

  const { host, port } = settings.api.listen;
  const urls = urlsOf(settings.api.listen);
  const identity = new LocalIdentity(await openSecrets(folder.path, ids), clock, ids);
  await listen(identityServer(identity, urls), host, port + 1, 'identity', cleanup);

  const toEngine = { engineObserver: observers.outbound('engine'), progress: options.progress };
  const adapters = await localAdapters({
    environment,
    engine: settings.engine,
    dataFolder: folder.path,
    database,
    clock,
    ids,
    ...toEngine,
  });
  cleanup.add(() => adapters.close());
  const inventory = new LocalInventory(database);
  // A process killed between claim and commit leaves a claim that nobody will give back.
  await inventory.releaseOrphans(await containerUuids(database.queries), true);
  const core = await zunCore({
    ...adapters,
    settings,
    database,
    inventory,
    identity,
    identityUrl: urls.identity.replace(/\/v3$/, ''),
    fernet: new Fernet(settings.encryptionKey ?? (await encryptionKey(folder.path))),
    policyFile: join(folder.path, 'policy.yaml'),
    clock,
    ids,
    logger,
    scope,
    observers,
  });
  const agent = agentOf(settings, { database, runtime: adapters.runtime, inventory, clock, ids, logger });
  cleanup.add(() => agent.stop());
  await agent.started;
  const sync = core.startSync();
  cleanup.add(() => sync.stop());
  // The folder's lock says that whoever held a task is dead.
  await core.services.tasks.endLeases(settings.host);
  const worker = core.startWorker(`${settings.host}:${process.pid}`);
  cleanup.add(() => worker.stop(taskGrace));
  await listen(core.server, host, port, 'API', cleanup);
  const checks = { database: databaseCheck(database), engine: adapters.checkEngine, identity: identityCheck(identity) };
  cleanup.add(await startAdmin({ checks, metrics: observers.metrics, clock, at: settings.admin.listen, say: options.progress }));
  const cloudsFile = join(folder.path, 'clouds.yaml');
  await writeCloudsFile(cloudsFile, identity.directory, urls);
  const url = urls.container.replace(/\/v1$/, '');
  return { welcome: welcome(url, cloudsFile, folder.path, adapters), url, cloudsFile, core, stop: () => cleanup.run() };
}

function agentOf(settings: Settings, parts: Pick<AgentOptions, 'database' | 'runtime' | 'inventory' | 'clock' | 'ids' | 'logger'>): Agent {
  return startAgent({
    ...parts,
    hostname: settings.host,
    availabilityZone: settings.scheduler.defaultAvailabilityZone,
    allocationRatios: settings.allocationRatios,
    cpuPinning: false,
    intervalSeconds: settings.agent.reportIntervalSeconds,
  });
}

function urlsOf({ host, port }: Settings['api']['listen']) {
  // What listens everywhere is reached at the loopback address from here.
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return { identity: `http://${name}:${port + 1}/v3`, container: `http://${name}:${port}/v1` };
}

async function listen(server: FastifyInstance, host: string, port: number, what: string, cleanup: Cleanup): Promise<void> {
  cleanup.add(() => closeServer(server, systemClock));
  try {
    await server.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE') throw error;
    throw new Error(
      `Port ${port} (${what}) is in use.\nSet ZUN_PORT to another port, and ZUN_DATA to another folder for a second standalone.`,
      {
        cause: error,
      },
    );
  }
}

/** `auth_encryption_key` of this installation, made at the first start. */
async function encryptionKey(folder: string): Promise<string> {
  const file = join(folder, 'encryption.key');
  const found = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (found !== null) return found.trim();
  const key = randomBytes(32).toString('base64url').concat('=');
  await writePrivately(file, `${key}\n`);
  return key;
}

function welcome(url: string, cloudsFile: string, dataFolder: string, adapters: LocalAdapters): string {
  return [
    `Zun runs. Containers: ${adapters.description}. Data: ${dataFolder}.`,
    'In another terminal:',
    '',
    '  pip install python-openstackclient python-zunclient==5.5.0',
    `  export OS_CLIENT_CONFIG_FILE=${cloudsFile} OS_CLOUD=zun`,
    '  openstack appcontainer run --name first busybox echo hello',
    '  openstack appcontainer logs first',
    '',
    'The administrator is the cloud zun-admin. Ctrl-C ends Zun; containers keep running.',
    `ready ${url} clouds=${cloudsFile}`,
    '',
  ].join('\n');
}

/** What to undo, last first; each once. */
class Cleanup {
  readonly #actions: (() => Promise<unknown>)[] = [];

  add(action: () => Promise<unknown>): void {
    this.#actions.push(action);
  }

  async run(): Promise<void> {
    for (let action = this.#actions.pop(); action; action = this.#actions.pop()) await action();
  }
}
