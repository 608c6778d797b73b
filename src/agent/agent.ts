import type { Database } from '../db/database.ts';
import { findComputeNodes, nodeUsage, saveComputeNode } from '../features/hosts/compute-node-store.ts';
import { findService, reportService } from '../features/services/service-store.ts';
import type { ContainerRuntime, NodeFacts } from '../runtime/container-runtime.ts';
import { isFault } from '../runtime/runtime-fault.ts';
import type { Inventory, NodeInventory } from '../scheduling/inventory.ts';
import type { Clock } from '../telemetry/clock.ts';
import type { Ids } from '../telemetry/ids.ts';
import type { Logger } from '../telemetry/logger.ts';
import { withDeadline } from '../telemetry/with-deadline.ts';

export interface AgentOptions {
  database: Database;
  runtime: Pick<ContainerRuntime, 'describeNode'>;
  inventory: Inventory;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** `[DEFAULT]/host`: the name under which containers are placed here. */
  hostname: string;
  availabilityZone: string;
  allocationRatios: AllocationRatios;
  /** `[compute]/enable_cpu_pinning`. */
  cpuPinning: boolean;
  /** Between signs of life; a service is down after three of the default 60. */
  intervalSeconds: number;
}

/** How often each resource may be promised. */
export interface AllocationRatios {
  cpu: number;
  memory: number;
  disk: number;
}

export interface Agent {
  /** Resolves when the first report was tried: from then on containers can be placed here, if the engine answered. */
  started: Promise<void>;
  /** Reports now, e.g. when the engine came back. */
  report(): Promise<void>;
  stop(): Promise<void>;
}

const binary = 'zun-compute';

/**
 * Tells of this node until it is stopped: sign of life (`zun_service`), figures (`compute_node`), inventory. While the engine
 * does not answer the heartbeat goes on and the last figures stand, since that is no reason to forget what is placed here.
 * Origin: zun/compute/manager.py (inventory_host), zun/service/… (report_state_up), zun/compute/compute_node_tracker.py.
 */
export function startAgent(options: AgentOptions): Agent {
  const { clock, logger } = options;
  const stopping = new AbortController();
  let reachable = true;

  const report = async () => {
    try {
      await options.database.transaction((transaction) =>
        reportService(transaction, { host: options.hostname, binary, availabilityZone: options.availabilityZone }, clock.now()),
      );
      const facts = await factsOf(options, stopping.signal);
      if (reachable !== (facts !== null)) {
        reachable = facts !== null;
        if (reachable) logger.info({ host: options.hostname }, 'the container engine answers again');
        else logger.warn({ host: options.hostname }, 'the container engine does not answer; its last figures stand');
      }
      await publish(options, facts);
    } catch (error) {
      if (!stopping.signal.aborted) logger.error({ err: error, host: options.hostname }, 'the node could not be reported');
    }
  };

  const started = report();
  const looping = (async () => {
    await started;
    while (!stopping.signal.aborted) {
      await clock.sleep(options.intervalSeconds * 1000, stopping.signal);
      if (!stopping.signal.aborted) await report();
    }
  })();
  return {
    started,
    report,
    async stop() {
      stopping.abort();
      await looping;
    },
  };
}

/** `null` while the engine can't be asked. */
async function factsOf({ runtime, clock }: AgentOptions, signal: AbortSignal): Promise<NodeFacts | null> {
  try {
    return await withDeadline(clock, 20_000, (expired) => runtime.describeNode(AbortSignal.any([signal, expired])));
  } catch (error) {
    if (isFault(error, 'unreachable', 'timeout')) return null;
    throw error;
  }
}

async function publish(options: AgentOptions, facts: NodeFacts | null): Promise<void> {
  const { database, hostname, clock, ids, allocationRatios, inventory } = options;
  const node = facts
    ? await database.transaction(async (transaction) => {
        const usage = await nodeUsage(transaction, hostname);
        return saveComputeNode(transaction, { hostname, newUuid: ids.uuid(), facts, usage, cpuPinning: options.cpuPinning }, clock.now());
      })
    : (await findComputeNodes(database.queries, { hostname }))[0];
  if (!node) return;
  const service = await findService(database.queries, hostname, binary);
  const figures: NodeInventory = {
    vcpu: node.cpus,
    memoryMb: node.mem_total,
    diskGb: node.disk_total,
    cpuAllocationRatio: allocationRatios.cpu,
    memoryAllocationRatio: allocationRatios.memory,
    diskAllocationRatio: allocationRatios.disk,
  };
  await inventory.report({ uuid: node.rp_uuid, hostname, inventory: figures, disabled: Boolean(service?.disabled) });
}
