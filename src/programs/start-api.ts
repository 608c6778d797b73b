import { databaseCheck, identityCheck } from '../admin/dependency-checks.ts';
import { programSettings } from '../config/program-settings.ts';
import { Fernet } from '../crypto/fernet.ts';
import { refuseOldSchema } from '../db/refuse-old-schema.ts';
import { LocalInventory } from '../local/inventory/local-inventory.ts';
import { adaptersBySettings } from './adapters-by-settings.ts';
import { type Cleanup, startedWhole } from './cleanup.ts';
import { encryptionKey } from './encryption-key.ts';
import { listen } from './listen.ts';
import { policyFileBeside } from './policy-file-beside.ts';
import { type ProgramOptions, programBase } from './program-base.ts';
import type { RunningProgram } from './run-program.ts';
import { startAdmin } from './start-admin.ts';
import { startLocalIdentity } from './start-local-identity.ts';
import { zunCore } from './zun-core.ts';

const portHint = 'Set api.port or ZUN_PORT to another port; identity is on the next one.';

/**
 * `zun-api`: serves the API, and identity while there is no Keystone; asks the runtime for what requests wait for (logs, exec, …) and leaves
 * all work to `zun-compute`. Any number of them run on one database. Throws an `Error` in words for the operator, with nothing left running.
 */
export function startApi(options: ProgramOptions): Promise<RunningProgram> {
  return startedWhole((cleanup) => start(options, cleanup));
}

async function start(options: ProgramOptions, cleanup: Cleanup): Promise<RunningProgram> {
  const { settings, file } = programSettings(options);
  const base = await programBase(options, settings, 'shared', cleanup);
  const { database, clock, observers } = base;
  await refuseOldSchema(database, base.dialect);
  observers.watchQueue(database);
  const served = await startLocalIdentity(base, portHint);
  const { identity, identityUrl } = served;
  const adapters = await adaptersBySettings(base);
  const core = await zunCore({
    ...base,
    ...adapters,
    inventory: new LocalInventory(database),
    identity,
    identityUrl,
    fernet: new Fernet(await encryptionKey(base)),
    policyFile: policyFileBeside(file),
  });
  await listen(base, core.server, { ...settings.api.listen, what: 'API', hint: portHint });
  const checks = { database: databaseCheck(database), engine: adapters.checkEngine, identity: identityCheck(identity) };
  cleanup.add(await startAdmin({ checks, metrics: observers.metrics, clock, at: settings.admin.listen, say: base.progress }));
  const cloudsFile = await served.writeClouds();
  const welcome = `zun-api serves. Containers: ${adapters.description}.\nready ${served.apiUrl} clouds=${cloudsFile}\n`;
  return { welcome, stop: () => cleanup.run() };
}
