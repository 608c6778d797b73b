import { conflict, invalidValue, serviceUnavailable } from '../errors/catalogue.ts';
import { isFault } from '../runtime/runtime-fault.ts';

/**
 * Runs a call to the engine's networks or volumes and turns its faults into what the ports promise: 503 when it can't be asked,
 * so that tasks try again, 409 and 400 when it refuses, with its own words.
 */
export async function orRefusal<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (isFault(error, 'unreachable', 'timeout')) throw serviceUnavailable(error.message);
    if (isFault(error, 'conflict', 'denied')) throw conflict(error.message);
    if (isFault(error, 'invalid')) throw invalidValue(error.message);
    throw error;
  }
}
