import { kubernetesAdapters } from './kubernetes-adapters.ts';
import { type LocalAdapters, localAdapters } from './local-adapters.ts';
import type { ProgramBase } from './program-base.ts';

/**
 * The adapters that `runtime.kind` names; they end with the program. `node`: of a cluster, the one that the program is about; `null` for
 * programs of no node. Throws in words for the operator.
 */
export async function adaptersBySettings(base: ProgramBase, node: string | null = null): Promise<LocalAdapters> {
  const adapters = await (base.settings.runtime.kind === 'kubernetes' ? clusterAdapters(base, node) : engineAdapters(base));
  base.cleanup.add(() => adapters.close());
  return adapters;
}

function clusterAdapters({ settings, database, clock, ids, observers }: ProgramBase, node: string | null): Promise<LocalAdapters> {
  return kubernetesAdapters({ settings, database, clock, ids, node, observer: observers.outbound('kubernetes') });
}

async function engineAdapters(base: ProgramBase): Promise<LocalAdapters> {
  const { settings, environment, database, clock, ids, observers, progress } = base;
  return localAdapters({
    environment,
    engine: settings.engine,
    mayStartEngine: base.use === 'alone',
    dataFolder: await base.dataFolder(),
    database,
    clock,
    ids,
    engineObserver: observers.outbound('engine'),
    progress,
  });
}
