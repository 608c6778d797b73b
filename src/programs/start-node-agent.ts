import { type Agent, startAgent } from '../agent/agent.ts';
import { readMachine } from '../agent/machine.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import type { Inventory } from '../scheduling/inventory.ts';
import type { ProgramBase } from './program-base.ts';

/** The agent of this node as the settings say; it ends with the program. */
export function startNodeAgent(base: ProgramBase, ports: { runtime: ContainerRuntime; inventory: Inventory }): Agent {
  const { settings, database, clock, ids, logger, cleanup } = base;
  const agent = startAgent({
    ...ports,
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
  return agent;
}
