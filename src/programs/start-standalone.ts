import { join } from 'node:path';
import { databaseCheck, identityCheck } from '../admin/dependency-checks.ts';
import { standaloneSettings } from '../config/standalone-settings.ts';
import { Fernet } from '../crypto/fernet.ts';
import { migrate } from '../db/migrate.ts';
import { containerUuids } from '../features/containers/container-store.ts';
import { LocalInventory } from '../local/inventory/local-inventory.ts';
import { workerOwner } from '../tasks/worker-owner.ts';
import { adaptersBySettings } from './adapters-by-settings.ts';
import { type Cleanup, startedWhole } from './cleanup.ts';
import { encryptionKey } from './encryption-key.ts';
import { listen } from './listen.ts';
import type { LocalAdapters } from './local-adapters.ts';
import { type ProgramOptions, programBase } from './program-base.ts';
import type { RunningProgram } from './run-program.ts';
import { startAdmin } from './start-admin.ts';
import { startConsoles } from './start-consoles.ts';
import { startLocalIdentity } from './start-local-identity.ts';
import { startNodeAgent } from './start-node-agent.ts';
import { type ZunCore, zunCore } from './zun-core.ts';

export interface RunningStandalone extends RunningProgram {
  url: string;
  cloudsFile: string;
  core: ZunCore;
}

/** Running tasks get so long to end before they are handed back, in milliseconds. */
const taskGrace = 3_000;
const portHint = 'Set ZUN_PORT to another port, and ZUN_DATA to another folder for a second standalone.';

/**
 * Starts API, consoles, worker, node agent and identity in this process, by default on SQLite and the machine's container engine.
 * Throws an `Error` in words for the operator, with nothing left running.
 */
export function startStandalone(options: ProgramOptions): Promise<RunningStandalone> {
  return startedWhole((cleanup) => start(options, cleanup));
}

async function start(options: ProgramOptions, cleanup: Cleanup): Promise<RunningStandalone> {
  const { settings } = standaloneSettings(options);
  const base = await programBase(options, settings, 'alone', cleanup);
  const { database, clock, observers } = base;
  const folder = await base.dataFolder();
  await migrate(database, base.dialect);
  observers.watchQueue(database);
  const served = await startLocalIdentity(base, portHint);
  const { identity, identityUrl } = served;
  const adapters = await adaptersBySettings(base, settings.host);
  const inventory = new LocalInventory(database);
  // A process killed between claim and commit leaves a claim that nobody will give back.
  await inventory.releaseOrphans(await containerUuids(database.queries), true);
  const core = await zunCore({
    ...base,
    ...adapters,
    inventory,
    identity,
    identityUrl,
    fernet: new Fernet(await encryptionKey(base)),
    policyFile: join(folder, 'policy.yaml'),
  });
  await startNodeAgent(base, { ...adapters, inventory }).started;
  const sync = core.startSync();
  cleanup.add(() => sync.stop());
  // The folder's lock says that whoever held a task is dead.
  await core.services.tasks.endLeases(settings.host);
  const worker = core.startWorker(workerOwner(settings.host, process.pid, base.ids));
  cleanup.add(() => worker.stop(taskGrace));
  await listen(base, core.server, { ...settings.api.listen, what: 'API', hint: portHint });
  await startConsoles(base, adapters, portHint);
  const checks = { database: databaseCheck(database), engine: adapters.checkEngine, identity: identityCheck(identity) };
  cleanup.add(await startAdmin({ checks, metrics: observers.metrics, clock, at: settings.admin.listen, say: base.progress }));
  const cloudsFile = await served.writeClouds();
  const url = served.apiUrl;
  return { welcome: welcome(url, cloudsFile, folder, adapters), url, cloudsFile, core, stop: () => cleanup.run() };
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
