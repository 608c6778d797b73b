import type { Database } from '../db/database.ts';
import { type ComputeNodeRow, findComputeNodes, nodeUsage, saveComputeNode } from '../features/hosts/compute-node-store.ts';
import { findService, reportService } from '../features/services/service-store.ts';
import { numaTopology } from '../rules/numa-topology.ts';
import type { ContainerRuntime, NodeFacts } from '../runtime/container-runtime.ts';
import { isFault } from '../runtime/runtime-fault.ts';
import type { Inventory, NodeInventory } from '../scheduling/inventory.ts';
import type { Clock } from '../telemetry/clock.ts';
import type { Ids } from '../telemetry/ids.ts';
import type { Logger } from '../telemetry/logger.ts';
import { withDeadline } from '../telemetry/with-deadline.ts';
import type { Machine } from './machine.ts';

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
  /** The share of the disk that images need; absent = none. */
  imageDiskShare?: number;
  /** Reads what only the machine tells; absent = it tells nothing. */
  machine?(): Promise<Machine>;
  /** Between two reports of figures, and between signs of life where that is less than a minute. */
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

/** A sign of life at least so often, in seconds: a service is down after three of them, by default. */
const longestHeartbeat = 60;

/**
 * Tells of this node until it is stopped: sign of life (`zun_service`), figures (`compute_node`), inventory. While the engine
 * does not answer the heartbeat goes on and the last figures stand, since that is no reason to forget what is placed here. The heartbeat
 * has its own pace: an engine or a Placement that is slow does not make it late.
 * Origin: zun/compute/manager.py (inventory_host), zun/service/… (report_state_up), zun/compute/compute_node_tracker.py.
 */
export function startAgent(options: AgentOptions): Agent {
  const { clock, logger } = options;
  const stopping = new AbortController();
  const { signal } = stopping;

  const safely = (work: () => Promise<void>) => async () => {
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) logger.error({ err: error, host: options.hostname }, 'the node could not be reported');
    }
  };
  const heartbeat = safely(() => giveSignOfLife(options));
  const figures = safely(async () => {
    await publish(options, await factsOf(options, signal));
  });
  const report = async () => {
    await heartbeat();
    await figures();
  };

  const started = report();
  const seconds = options.intervalSeconds;
  const looping = started.then(() =>
    Promise.all([
      every(clock, Math.min(seconds, longestHeartbeat) * 1000, signal, heartbeat),
      every(clock, seconds * 1000, signal, figures),
    ]),
  );
  return {
    started,
    report,
    async stop() {
      stopping.abort();
      await looping;
    },
  };
}

/** Runs the work at that pace, however long it takes itself; the first time after one interval. */
async function every(clock: Clock, milliseconds: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  let due = clock.monotonic();
  while (!signal.aborted) {
    due = Math.max(due + milliseconds, clock.monotonic());
    await clock.sleep(due - clock.monotonic(), signal);
    if (!signal.aborted) await work();
  }
}

async function giveSignOfLife({ database, hostname: host, availabilityZone, clock }: AgentOptions): Promise<void> {
  await database.transaction((transaction) => reportService(transaction, { host, binary, availabilityZone }, clock.now()));
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
  const { database, hostname, allocationRatios, inventory } = options;
  const node = facts ? await save(options, facts) : (await findComputeNodes(database.queries, { hostname }))[0];
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

async function save(options: AgentOptions, facts: NodeFacts): Promise<ComputeNodeRow> {
  const { database, hostname, clock, ids, cpuPinning, imageDiskShare = 0 } = options;
  const machine = await options.machine?.();
  // An engine in a virtual machine speaks of that, of which the files here tell nothing.
  const here = machine?.kernelVersion === facts.kernelVersion ? machine : null;
  const { diskTotalGiB } = facts;
  return database.transaction(async (transaction) => {
    const node = {
      hostname,
      newUuid: ids.uuid(),
      facts,
      diskGiB: diskTotalGiB - Math.floor(diskTotalGiB * imageDiskShare),
      usage: await nodeUsage(transaction, hostname),
      cpuPinning,
      memoryAvailableMiB: here?.memoryAvailableMiB ?? null,
      numaTopology: numaTopology(here?.numaNodes ?? []),
    };
    return saveComputeNode(transaction, node, clock.now());
  });
}
