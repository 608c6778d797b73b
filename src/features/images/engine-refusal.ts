import { conflict, invalidValue, operationNotSupported, serviceUnavailable } from '../../errors/catalogue.ts';
import { isFault, type RuntimeFaultKind } from '../../runtime/runtime-fault.ts';

const answers: Partial<Record<RuntimeFaultKind, (message: string) => Error>> = {
  invalid: invalidValue,
  conflict,
  denied: conflict,
  'not-found': conflict,
  unsupported: operationNotSupported,
};

/** Turns a store's fault into an answer with its own words: 4xx where the request is at fault, 503 where store or registry is. */
export async function orEngineRefusal<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!isFault(error)) throw error;
    throw (answers[error.kind] ?? serviceUnavailable)(error.message);
  }
}
