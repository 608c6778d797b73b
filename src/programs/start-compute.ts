import { databaseCheck } from '../admin/dependency-checks.ts';
import { programSettings } from '../config/program-settings.ts';
import { Fernet } from '../crypto/fernet.ts';
import { refuseOldSchema } from '../db/refuse-old-schema.ts';
import type { Identity } from '../identity/identity.ts';
import { LocalInventory } from '../local/inventory/local-inventory.ts';
import { workerOwner } from '../tasks/worker-owner.ts';
import { adaptersBySettings } from './adapters-by-settings.ts';
import { type Cleanup, startedWhole } from './cleanup.ts';
import { encryptionKey } from './encryption-key.ts';
import { policyFileBeside } from './policy-file-beside.ts';
import { type ProgramOptions, programBase } from './program-base.ts';
import type { RunningProgram } from './run-program.ts';
import { startAdmin } from './start-admin.ts';
import { zunCore } from './zun-core.ts';

/** Running tasks get so long to end before they are handed back, in milliseconds: less than a service manager waits. */
const taskGrace = 10_000;

/** It serves no requests, so nobody is anybody here. */
const nobody: Identity = { validate: async () => null };

/**
 * `zun-compute`: claims tasks and runs them; one of them keeps rows true. Any number of them work on one database, and none is special: whoever held
 * a task and died loses it when the lease ends. Throws an `Error` in words for the operator, with nothing left running.
 */
export function startCompute(options: ProgramOptions): Promise<RunningProgram> {
  return startedWhole((cleanup) => start(options, cleanup));
}

async function start(options: ProgramOptions, cleanup: Cleanup): Promise<RunningProgram> {
  const { settings, file } = programSettings(options);
  const base = await programBase(options, settings, 'shared', cleanup);
  const { database, clock, observers } = base;
  await refuseOldSchema(database, base.dialect);
  observers.watchQueue(database);
  const adapters = await adaptersBySettings(base);
  const core = await zunCore({
    ...base,
    ...adapters,
    inventory: new LocalInventory(database),
    identity: nobody,
    identityUrl: '',
    fernet: new Fernet(await encryptionKey(base)),
    policyFile: policyFileBeside(file),
  });
  const checks = { database: databaseCheck(database), engine: adapters.checkEngine };
  cleanup.add(await startAdmin({ checks, metrics: observers.metrics, clock, at: settings.admin.listen, say: base.progress }));
  const owner = workerOwner(settings.host, process.pid, base.ids);
  const sync = core.startSync({ holder: owner });
  cleanup.add(() => sync.stop());
  const worker = core.startWorker(owner);
  cleanup.add(() => worker.stop(taskGrace));
  return { welcome: `zun-compute works. Containers: ${adapters.description}.\nready ${owner}\n`, stop: () => cleanup.run() };
}
