import type { WorkloadObservation } from '../../../runtime/container-runtime.ts';
import { RuntimeFault } from '../../../runtime/runtime-fault.ts';
import type { Container } from '../../containers/container.ts';
import { retriesOf } from './retries-of.ts';

type Member = Pick<Container, 'name' | 'restartPolicy'>;
/** `null` = the runtime answers and has none. */
type Seen = Pick<WorkloadObservation, 'state' | 'restartCount'> | null;

/**
 * Whether an init container has succeeded, by what is seen of it and of its capsule, which is one object. The runtime starts it again by
 * itself and knows no maximum, so the runs are counted here, where it tells. Throws when there is no hope, in the words of the runtime
 * or, after a run, in those for an init container that failed. Pure.
 */
export function hasSucceeded(init: Member, seen: Seen, capsule: Seen): boolean {
  const { state, restartCount = 0 } = seen ?? gone(`Init container ${init.name}`);
  if (!hasRun(seen)) return waits(init, seen, capsule);
  if (state.status === 'running' || state.status === 'paused' || state.status === 'unknown') return false;
  if (state.status === 'exited' && state.exitCode === 0) return true;
  if (restartCount < retriesOf(init) && isUnderWay(capsule)) return false;
  throw new RuntimeFault('failed', `Init container ${init.name} ended with exit code ${state.exitCode}.`);
}

/** Whether a container of such a capsule runs or has run. Throws when there is no hope, in the words of the runtime. Pure. */
export function hasStarted(container: Member, seen: Seen, capsule: Seen): boolean {
  return hasRun(seen ?? gone(`Container ${container.name}`)) || waits(container, seen, capsule);
}

const hasRun = (seen: Seen): boolean => (seen?.state.startedAt ?? null) !== null;

const isUnderWay = (capsule: Seen): boolean => capsule !== null && !['exited', 'dead', 'removing'].includes(capsule.state.status);

/** `false` as long as it may yet begin. */
function waits(member: Member, seen: Seen, capsule: Seen): false {
  if (seen && seen.state.status !== 'unknown' && seen.state.error !== '') throw new RuntimeFault('failed', seen.state.error);
  if (isUnderWay(capsule)) return false;
  throw new RuntimeFault('failed', capsule?.state.error || `The capsule ended before its container ${member.name} began.`);
}

function gone(what: string): never {
  throw new RuntimeFault('not-found', `${what} is gone from its node.`);
}
