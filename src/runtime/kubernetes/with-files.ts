import { RuntimeFault } from '../runtime-fault.ts';
import { baseImageOf } from './base-image-of.ts';
import { containerOnNode } from './container-on-node.ts';
import type { EndingParts } from './ending-parts.ts';
import { keepFilesystem, keptImageName } from './keep-filesystem.ts';
import { annotations, type KubePod, labels, mainContainer } from './kube-object.ts';
import type { NodeAccess } from './node/node-access.ts';
import { hasEnded, isGoing } from './state/pod-phase.ts';
import type { WorkloadPlace } from './workload-place.ts';

/** Longest that the Pod with the files lives, should nobody be left to remove it. */
const mostSeconds = 600;

/**
 * Answers what the work finds in the files of a workload: in its container while that runs; else, with node access, in a Pod that has the
 * filesystem which the next start will have, and does nothing. What is written there is what the next start begins with.
 */
export async function withFiles<T>(
  parts: EndingParts,
  place: WorkloadPlace,
  access: 'read' | 'write',
  signal: AbortSignal | undefined,
  work: (at: WorkloadPlace) => Promise<T>,
): Promise<T> {
  const pod = await parts.pods.find(place, signal);
  const isAtRest = pod === null || hasEnded(pod) || isGoing(pod) || (await ends(parts, place, pod, signal));
  const { nodeAccess } = parts;
  if (!isAtRest || place.container !== mainContainer) return work(place);
  if (!nodeAccess) {
    await parts.records.get(place, signal);
    throw new RuntimeFault('conflict', `Container ${place.uuid} is not running: its files can be reached while it runs.`);
  }
  if (pod) await keepFilesystem(parts, place, pod, signal);
  const at = { ...place, name: `${place.name}-files` };
  const open = async () => {
    await startFilesPod(parts, place, at, signal);
    const answer = await work(at);
    if (access === 'write') await keepWritten(parts, nodeAccess, place, at, pod, signal);
    return answer;
  };
  return open().finally(() => parts.pods.remove(at, 0, signal));
}

/** A Pod's phase follows the end of its process: whether that is so, and then waits for it. */
async function ends({ pods }: EndingParts, place: WorkloadPlace, pod: KubePod, signal?: AbortSignal): Promise<boolean> {
  const main = pod.status?.containerStatuses?.find(({ name }) => name === mainContainer);
  if (!main?.state?.terminated || pod.spec?.restartPolicy !== 'Never') return false;
  await pods.until(place, (now) => (now === null || hasEnded(now) ? true : null), signal ?? new AbortController().signal);
  return true;
}

async function startFilesPod(parts: EndingParts, place: WorkloadPlace, at: WorkloadPlace, signal?: AbortSignal): Promise<void> {
  const record = await parts.records.get(place, signal);
  await parts.pods.remove(at, 0, signal);
  await parts.pods.create(at, idle(parts.records.podOf(place, parts.records.specOf(record), record), at.name), signal);
  await parts.pods.until(at, (pod) => isReady(pod, at), signal ?? new AbortController().signal);
}

/** The Pod with nothing but its files: sync does not know it, and what would run there does not. */
function idle(pod: KubePod, name: string): KubePod {
  const { [labels.workload]: _workload, ...own } = pod.metadata?.labels ?? {};
  const { hostname: _hostname, ...spec } = pod.spec ?? { containers: [] };
  return {
    ...pod,
    metadata: { ...pod.metadata, name, labels: { ...own, [labels.kind]: 'files' } },
    spec: {
      ...spec,
      restartPolicy: 'Never',
      activeDeadlineSeconds: mostSeconds,
      containers: spec.containers.map(({ readinessProbe: _probe, args: _args, stdin: _stdin, tty: _tty, ...container }) => ({
        ...container,
        command: ['sh', '-c', `sleep ${mostSeconds}`],
      })),
    },
  };
}

function isReady(pod: KubePod | null, at: WorkloadPlace): true | null {
  if (pod === null || hasEnded(pod)) {
    throw new RuntimeFault('unsupported', 'The files of a container that does not run can be reached where its image has a shell.');
  }
  return pod.status?.containerStatuses?.some(({ name, state }) => name === at.container && state?.running) ? true : null;
}

async function keepWritten(
  { pods, records }: EndingParts,
  nodeAccess: NodeAccess,
  place: WorkloadPlace,
  at: WorkloadPlace,
  ended: KubePod | null,
  signal?: AbortSignal,
): Promise<void> {
  const [pod, record] = [await pods.find(at, signal), await records.get(place, signal)];
  const container = pod && containerOnNode(pod, mainContainer);
  if (!container) throw new RuntimeFault('failed', 'The files were written and are lost: the Pod that held them is gone.');
  const image = keptImageName(place.uuid);
  await nodeAccess.keep(container, image, baseImageOf(records, record, place), signal);
  const of = ended && containerOnNode(ended, mainContainer);
  await records.annotate(place, { [annotations.keptImage]: image, ...(of ? { [annotations.keptOf]: of.containerId } : {}) }, signal);
}
