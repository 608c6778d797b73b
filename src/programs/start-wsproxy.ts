import { databaseCheck } from '../admin/dependency-checks.ts';
import { programSettings } from '../config/program-settings.ts';
import { refuseOldSchema } from '../db/refuse-old-schema.ts';
import { adaptersBySettings } from './adapters-by-settings.ts';
import { type Cleanup, startedWhole } from './cleanup.ts';
import { type ProgramOptions, programBase } from './program-base.ts';
import type { RunningProgram } from './run-program.ts';
import { startAdmin } from './start-admin.ts';
import { startConsoles } from './start-consoles.ts';

const portHint = 'Set consoles.port to another port.';

/**
 * `zun-wsproxy`: serves consoles, which the API has promised in the database. Any number of them on one database, behind one address: each
 * can open any console. Throws an `Error` in words for the operator, with nothing left running.
 */
export function startWsproxy(options: ProgramOptions): Promise<RunningProgram> {
  return startedWhole((cleanup) => start(options, cleanup));
}

async function start(options: ProgramOptions, cleanup: Cleanup): Promise<RunningProgram> {
  const { settings } = programSettings({ ...options, readsPasswords: false });
  const base = await programBase(options, settings, 'shared', cleanup);
  const { database, clock, observers } = base;
  await refuseOldSchema(database, base.dialect);
  const adapters = await adaptersBySettings(base);
  const url = await startConsoles(base, adapters, portHint);
  const checks = { database: databaseCheck(database), engine: adapters.checkEngine };
  cleanup.add(await startAdmin({ checks, metrics: observers.metrics, clock, at: settings.admin.listen, say: base.progress }));
  return { welcome: `zun-wsproxy serves consoles. Containers: ${adapters.description}.\nready ${url}\n`, stop: () => cleanup.run() };
}
