import type { WorkloadObservation } from '../container-runtime.ts';
import { MemoryCapsule } from './memory-capsule.ts';
import type { MemoryWorkload } from './memory-workload.ts';

/** What inspect tells of a workload or a capsule of the memory runtime, whose networks and default runtime are the caller's to know. */
export function memoryObservation(
  whole: MemoryWorkload | MemoryCapsule,
  { addresses, defaultRuntime }: { addresses: WorkloadObservation['addresses']; defaultRuntime: string | null },
): WorkloadObservation {
  if (whole instanceof MemoryCapsule) {
    const { spec, engineId, hostname, state } = whole;
    return { uuid: spec.uuid, engineId, state: { ...state }, hostname, ports: [], addresses, image: '', runtime: defaultRuntime };
  }
  const workload = whole;
  const { spec, image } = workload;
  const exposed = [...image.exposedPorts, ...(spec.sandbox === undefined ? spec.exposedPorts : [])];
  return {
    uuid: spec.uuid,
    engineId: workload.engineId,
    state: { ...workload.state },
    restartCount: workload.restarts,
    hostname: workload.hostname,
    command: spec.command ?? image.command,
    entrypoint: spec.entrypoint ?? image.entrypoint,
    ports: [...new Set(exposed)].map((port) => Number(port.split('/')[0])),
    addresses,
    image: spec.image,
    runtime: spec.runtime ?? defaultRuntime,
  };
}
