import { RuntimeFault, type RuntimeFaultKind } from '../../runtime-fault.ts';
import type { PodCommandResult } from '../client/run-in-pod.ts';

const kinds: Record<RuntimeFaultKind, true> = {
  'not-found': true,
  conflict: true,
  invalid: true,
  denied: true,
  timeout: true,
  unreachable: true,
  unsupported: true,
  failed: true,
};

/** What `zun node` wrote, or the fault that it told: see `programs/node-command.ts`. Pure. */
export function nodeAnswer(
  { exitCode, stdout, stderr, refusal }: Pick<PodCommandResult, 'exitCode' | 'stdout' | 'stderr' | 'refusal'>,
  node: string,
  operation: string,
): Buffer {
  if (refusal !== null) throw new RuntimeFault('failed', `The agent of node ${node} could not run ${operation}: ${refusal}`);
  if (exitCode === 0) return stdout;
  if (exitCode === 2) throw new RuntimeFault('unsupported', `The agent of node ${node} does not know ${operation}: update it.`);
  const words = stderr.toString('utf8').trim();
  const told = faultOf(words.split('\n').at(-1) ?? '');
  throw told ?? new RuntimeFault('failed', `The agent of node ${node} ended ${operation} with ${exitCode}: ${words}`);
}

function faultOf(line: string): RuntimeFault | null {
  try {
    const { kind, message } = JSON.parse(line) as { kind: string; message: string };
    return Object.hasOwn(kinds, kind) ? new RuntimeFault(kind as RuntimeFaultKind, message) : null;
  } catch {
    return null;
  }
}
