import { RuntimeFault, type RuntimeFaultKind } from '../../runtime-fault.ts';
import { KubeError } from './kube-error.ts';

/**
 * The fault for a call to the API server that failed: its refusal, the caller's deadline, a server that is gone or silent. A fault
 * is answered as it is. `unreachable` is what may go better the next time.
 */
export function kubeFault(error: unknown, signal?: AbortSignal): RuntimeFault {
  if (error instanceof RuntimeFault) return error;
  if (error instanceof KubeError) return new RuntimeFault(kindOf(error), sentence(error), { cause: error });
  if (signal?.aborted) {
    if (signal.reason instanceof RuntimeFault) return signal.reason;
    return new RuntimeFault('timeout', 'Kubernetes did not answer before the deadline.', { cause: error });
  }
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    // As good as not there: behind a load balancer the next call may reach another one.
    return new RuntimeFault('unreachable', 'The Kubernetes API server did not answer in time.', { cause: error });
  }
  const words = error instanceof Error ? error.message : String(error);
  return new RuntimeFault('unreachable', `The Kubernetes API server cannot be reached: ${words}`, { cause: error });
}

function kindOf({ status, message }: KubeError): RuntimeFaultKind {
  if (status === 404) return 'not-found';
  if (status === 409) return 'conflict';
  if (status === 400 || status === 413 || status === 422) return 'invalid';
  // Credentials that have just expired are about to be renewed; a namespace that goes is made again once it is gone.
  const passes = status === 401 || status === 429 || status >= 500 || (status === 403 && namespaceGoes.test(message));
  return passes ? 'unreachable' : 'failed';
}

/** `secrets "s" is forbidden: unable to create new content in namespace n because it is being terminated`. */
const namespaceGoes = /unable to create new content in namespace \S+ because it is being terminated/;

/** The server's words; where an operator has to do something, what. */
function sentence({ status, message, lacksRight }: KubeError): string {
  if (status === 401) return `Kubernetes does not accept this service's credentials: ${message}`;
  return lacksRight ? `This service lacks a right in Kubernetes (RBAC): ${message}` : message;
}
