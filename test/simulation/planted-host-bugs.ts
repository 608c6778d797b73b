import { nodeServices } from '../../src/features/services/service-store.ts';
import type { ZunCore } from '../../src/programs/zun-core.ts';
import { lead } from '../../src/sync/lead.ts';
import { type HostLoss, hostLoss } from '../../src/sync/lost-host.ts';
import type { StateSync } from '../../src/sync/state-sync.ts';
import type { PlantedBug } from './planted-bugs.ts';
import { downTimeSeconds, leaseTimes, type ProcessParts } from './simulated-process.ts';

/** What somebody might do wrong about leaders and lost hosts. */
export const plantedHostBugs: PlantedBug[] = [
  {
    name: 'two leaders, of which one does not wait for the end of a lease',
    plant: { sync: impatient },
    finds: /two lead /,
  },
  {
    name: 'a lost host whose containers are taken for deleted',
    plant: {
      sync: (core, parts) =>
        onLoss(core, parts, async ({ host }) => {
          await parts.database.queries.deleteFrom('container').where('host', '=', host).where('task_state', 'is', null).execute();
        }),
    },
    finds: /the workload .* is nobody's/,
  },
  {
    name: 'a lost host whose containers are moved while they may still run there',
    plant: {
      sync: (core, parts) =>
        onLoss(core, parts, async ({ host }) => {
          const moved = parts.database.queries.updateTable('container').set({ host: parts.host }).where('host', '=', host);
          await moved.where('container_type', '=', 0).where('task_state', 'is', null).execute();
        }),
    },
    finds: /its row says|has two workloads/,
  },
  {
    name: 'a lost host that is never found again',
    plant: {
      core({ services }) {
        const declared = (host: string): HostLoss => ({ host, kind: 'declared', lastSeen: null });
        services.hostLosses = async (queries) => new Map((await nodeServices(queries)).map(({ host }) => [host, declared(host)]));
      },
    },
    finds: /it is still Unknown/,
  },
];

function impatient(core: ZunCore, { database, clock, name, host, runtime, sync: observer }: ProcessParts): StateSync {
  const leading = lead({
    database,
    clock,
    logger: core.services.logger,
    observer,
    name: runtime.spansHosts ? 'sync' : host,
    holder: name,
    times: { ...leaseTimes, duration: 0 },
    async work({ signal }) {
      const sync = core.startSync();
      await clock.sleep(Number.MAX_SAFE_INTEGER, signal);
      await sync.stop();
    },
  });
  return { firstListing: Promise.resolve(), touch: () => {}, stop: () => leading.stop() };
}

/** The sync as it is, and something that is done about each host that does not report, again and again. */
function onLoss(core: ZunCore, { name, database, clock }: ProcessParts, act: (loss: HostLoss) => Promise<void>): StateSync {
  const sync = core.startSync({ holder: name, times: leaseTimes });
  const ended = new AbortController();
  const watching = (async () => {
    for (; !ended.signal.aborted; await clock.sleep(5_000, ended.signal))
      for (const service of await nodeServices(database.queries)) {
        const loss = hostLoss(service.host, service, clock.now(), downTimeSeconds);
        if (loss) await act(loss);
      }
  })();
  return {
    ...sync,
    async stop() {
      ended.abort();
      await Promise.all([watching, sync.stop()]);
    },
  };
}
