import { RuntimeFault } from '../runtime-fault.ts';

/** The fault for a call that got no answer: the caller's deadline, an engine that is gone, or one that is silent. */
export function transportFault(error: unknown, signal?: AbortSignal): RuntimeFault {
  if (error instanceof RuntimeFault) return error;
  if (signal?.aborted) {
    if (signal.reason instanceof RuntimeFault) return signal.reason;
    return new RuntimeFault('timeout', 'The engine did not answer before the deadline.', { cause: error });
  }
  const code = errorCode(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return new RuntimeFault('timeout', 'The engine did not answer in time.', { cause: error });
  }
  const words = error instanceof Error ? error.message : String(error);
  return new RuntimeFault('unreachable', `The container engine cannot be reached: ${words}`, { cause: error });
}

/** Node's or undici's code of an error, '' when it has none. */
export function errorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return '';
}
