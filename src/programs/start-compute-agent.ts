import { databaseCheck } from '../admin/dependency-checks.ts';
import { programSettings } from '../config/program-settings.ts';
import { refuseOldSchema } from '../db/refuse-old-schema.ts';
import { LocalInventory } from '../local/inventory/local-inventory.ts';
import { adaptersBySettings } from './adapters-by-settings.ts';
import { type Cleanup, startedWhole } from './cleanup.ts';
import { type ProgramOptions, programBase } from './program-base.ts';
import type { RunningProgram } from './run-program.ts';
import { startAdmin } from './start-admin.ts';
import { startNodeAgent } from './start-node-agent.ts';

/**
 * `zun-compute-agent`, one a node: tells that the node lives, what it is and what it has. Without it containers are placed elsewhere after
 * three minutes. Throws an `Error` in words for the operator, with nothing left running.
 */
export function startComputeAgent(options: ProgramOptions): Promise<RunningProgram> {
  return startedWhole((cleanup) => start(options, cleanup));
}

async function start(options: ProgramOptions, cleanup: Cleanup): Promise<RunningProgram> {
  const { settings } = programSettings({ ...options, readsPasswords: false });
  const base = await programBase(options, settings, 'shared', cleanup);
  const { database, clock, observers } = base;
  await refuseOldSchema(database, base.dialect);
  const adapters = await adaptersBySettings(base, settings.host);
  const checks = { database: databaseCheck(database), engine: adapters.checkEngine };
  cleanup.add(await startAdmin({ checks, metrics: observers.metrics, clock, at: settings.admin.listen, say: base.progress }));
  await startNodeAgent(base, { ...adapters, inventory: new LocalInventory(database) }).started;
  return {
    welcome: `zun-compute-agent reports. Containers: ${adapters.description}.\nready ${settings.host}\n`,
    stop: () => cleanup.run(),
  };
}
