import { Outage } from '../admin/outage.ts';
import type { OutboundObserver } from '../admin/outbound-metrics.ts';
import { kubernetesAdapters } from './kubernetes-adapters.ts';
import { type LocalAdapters, localAdapters } from './local-adapters.ts';
import type { ProgramBase } from './program-base.ts';

/** The adapters of a program, and whether what is behind them is away. */
export interface ChosenAdapters extends LocalAdapters {
  engineOutage: Outage;
}

/**
 * The adapters that `runtime.kind` names; they end with the program. A cluster that does not answer, or an engine that this program may not
 * start, is no reason not to start: that is in the log, and calls fail as they do when it goes away later. `node`: of a cluster, the one that the
 * program is about; `null` for programs of no node. Throws in words for the operator what is wrong in the configuration.
 */
export async function adaptersBySettings(base: ProgramBase, node: string | null = null): Promise<ChosenAdapters> {
  const { settings, clock, logger, observers, cleanup } = base;
  let check: LocalAdapters['checkEngine'] = async () => {};
  const engineOutage = new Outage({ dependency: 'engine', check: (signal) => check(signal), clock, logger });
  const isCluster = settings.runtime.kind === 'kubernetes';
  const observer = suspecting(observers.outbound(isCluster ? 'kubernetes' : 'engine'), engineOutage);
  const adapters = await (isCluster ? clusterAdapters(base, node, observer) : engineAdapters(base, observer));
  cleanup.add(() => adapters.close());
  check = adapters.checkEngine;
  cleanup.add(() => engineOutage.stop());
  engineOutage.suspect();
  return { ...adapters, engineOutage };
}

/** Tells an outage of each call that found nobody. */
function suspecting(observer: OutboundObserver, outage: Outage): OutboundObserver {
  return (operation) => {
    const ended = observer(operation);
    return (outcome) => {
      ended(outcome);
      if (outcome === 'unreachable' || outcome === 'timeout') outage.suspect();
    };
  };
}

function clusterAdapters(
  { settings, database, clock, ids }: ProgramBase,
  node: string | null,
  observer: OutboundObserver,
): Promise<LocalAdapters> {
  return kubernetesAdapters({ settings, database, clock, ids, node, observer });
}

async function engineAdapters(base: ProgramBase, engineObserver: OutboundObserver): Promise<LocalAdapters> {
  const { settings, environment, database, clock, ids, progress } = base;
  return localAdapters({
    environment,
    engine: settings.engine,
    mayStartEngine: base.use === 'alone',
    dataFolder: await base.dataFolder(),
    database,
    clock,
    ids,
    engineObserver,
    progress,
  });
}
