import { conflict, invalid, operationNotSupported, serviceUnavailable } from '../../errors/catalogue.ts';
import { ZunError } from '../../errors/zun-error.ts';
import type { ContainerRuntime } from '../../runtime/container-runtime.ts';
import { isFault, type RuntimeFault } from '../../runtime/runtime-fault.ts';
import { withDeadline } from '../../telemetry/with-deadline.ts';
import type { Container } from './container.ts';
import type { ContainerServices } from './container-services.ts';

/** Longest that a request waits for the runtime. */
const deadlineMs = 60_000;

/**
 * Asks the runtime within a request. What it refuses is the client's answer, in the engine's own words: 400 for a bad
 * argument, 404 for what is not in the workload, 409 for what its state forbids, 503 while it cannot be asked. The
 * original answers 500 to nearly all of it.
 */
export async function askRuntime<T>(
  services: Pick<ContainerServices, 'runtime' | 'clock'>,
  container: Pick<Container, 'uuid'>,
  call: (runtime: ContainerRuntime, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withDeadline(services.clock, deadlineMs, async (signal) => {
    try {
      return await call(services.runtime, signal);
    } catch (error) {
      if (!isFault(error)) throw error;
      if (isFault(error, 'not-found') && (await isWithoutWorkload(services.runtime, container.uuid, signal))) {
        throw conflict(`Container ${container.uuid} has no workload on its node: rebuild it to make a new one, or delete it.`);
      }
      throw runtimeRefusal(error);
    }
  });
}

/** The answer for a fault of the runtime. */
export function runtimeRefusal({ kind, message }: RuntimeFault): ZunError {
  switch (kind) {
    case 'not-found':
      return new ZunError('NotFound', 404, message);
    case 'invalid':
      return invalid(message);
    case 'unsupported':
      return operationNotSupported(message);
    case 'conflict':
    case 'denied':
    case 'failed':
      return conflict(message);
    case 'timeout':
      return serviceUnavailable(`The container runtime did not answer in time: ${message}`);
    case 'unreachable':
      return serviceUnavailable(`The container runtime cannot be reached: ${message}`);
  }
}

/** Tells a missing workload from something missing in it. */
async function isWithoutWorkload(runtime: ContainerRuntime, uuid: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await runtime.inspect(uuid, signal)) === null;
  } catch {
    return false;
  }
}
