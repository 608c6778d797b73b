import { status } from '@grpc/grpc-js';
import { RuntimeFault, type RuntimeFaultKind } from '../../runtime-fault.ts';

const kinds: Partial<Record<number, RuntimeFaultKind>> = {
  [status.NOT_FOUND]: 'not-found',
  [status.ALREADY_EXISTS]: 'conflict',
  [status.FAILED_PRECONDITION]: 'conflict',
  [status.ABORTED]: 'conflict',
  [status.INVALID_ARGUMENT]: 'invalid',
  [status.OUT_OF_RANGE]: 'invalid',
  [status.DEADLINE_EXCEEDED]: 'timeout',
  [status.CANCELLED]: 'timeout',
  [status.UNAVAILABLE]: 'unreachable',
  [status.UNIMPLEMENTED]: 'unsupported',
};

/**
 * The fault for a call that containerd refused or did not answer, in its words, without the kind that it puts behind them. `unsupported` when there is
 * no socket, or none that may be used.
 */
export function rpcFault(error: unknown): RuntimeFault {
  if (error instanceof RuntimeFault) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : status.UNKNOWN;
  const kind = kinds[code] ?? 'failed';
  const words = error instanceof Error && 'details' in error ? String(error.details) : String(error);
  const message = words.replace(/: (unknown|not found|failed precondition|invalid argument|already exists)$/, '');
  if (kind !== 'unreachable') return new RuntimeFault(kind, message, { cause: error });
  const [, why, path] = /connect (ENOENT|EACCES|EPERM) (\S+?)\.?(?: |$)/.exec(message) ?? [];
  if (why !== undefined) {
    const words = `The node's agent has no containerd socket (${why} ${path}): the operator has to mount it there.`;
    return new RuntimeFault('unsupported', words, { cause: error });
  }
  return new RuntimeFault('unreachable', `containerd cannot be reached: ${message}`, { cause: error });
}
