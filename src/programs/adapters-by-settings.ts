import { type LocalAdapters, localAdapters } from './local-adapters.ts';
import type { ProgramBase } from './program-base.ts';

/** The adapters that `runtime.kind` names; they end with the program. Throws in words for the operator. */
export async function adaptersBySettings(base: ProgramBase): Promise<LocalAdapters> {
  const { settings, environment, database, clock, ids, observers, progress, cleanup } = base;
  if (settings.runtime.kind === 'kubernetes')
    throw new Error("runtime.kind is 'kubernetes': this version has no adapter for a cluster yet; docker is what can be named.");
  const adapters = await localAdapters({
    environment,
    engine: settings.engine,
    dataFolder: await base.dataFolder(),
    database,
    clock,
    ids,
    engineObserver: observers.outbound('engine'),
    progress,
  });
  cleanup.add(() => adapters.close());
  return adapters;
}
