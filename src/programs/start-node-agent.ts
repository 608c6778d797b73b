import type { Outage } from '../admin/outage.ts';
import { type Agent, startAgent } from '../agent/agent.ts';
import { readMachine } from '../agent/machine.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import type { Inventory } from '../scheduling/inventory.ts';
import type { ProgramBase } from './program-base.ts';

export interface NodeAgentParts {
  runtime: ContainerRuntime;
  inventory: Inventory;
  engineOutage: Outage;
}

/** The agent of this node as the settings say; it ends with the program. When the engine comes back it reports at once. */
export function startNodeAgent(base: ProgramBase, { runtime, inventory, engineOutage }: NodeAgentParts): Agent {
  const { settings, database, clock, ids, logger, cleanup } = base;
  const agent = startAgent({
    runtime,
    inventory,
    database,
    clock,
    ids,
    logger,
    hostname: settings.host,
    availabilityZone: settings.scheduler.defaultAvailabilityZone,
    allocationRatios: settings.allocationRatios,
    cpuPinning: false,
    imageDiskShare: settings.agent.imageDiskShare,
    machine: readMachine,
    intervalSeconds: settings.agent.reportIntervalSeconds,
  });
  cleanup.add(() => agent.stop());
  engineOutage.onEnd(() => agent.report());
  return agent;
}
