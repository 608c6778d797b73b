import { RuntimeFault } from '../runtime-fault.ts';
import { KubeError } from './client/kube-error.ts';
import { type KubePod, mainContainer } from './kube-object.ts';
import type { KubernetesSettings } from './kubernetes-settings.ts';
import { podResources } from './pod/pod-resources.ts';
import type { RecordedSpec } from './pod/workload-record.ts';
import { hasEnded, isGoing } from './state/pod-phase.ts';
import type { WorkloadPlace } from './workload-place.ts';
import type { WorkloadPods } from './workload-pods.ts';
import type { WorkloadRecords } from './workload-records.ts';

/** Changes limits: of the record, so that the next start has them, and of a Pod that runs in place, waiting until the kubelet did it. */
export async function resizeWorkload(
  { records, pods, settings }: { records: WorkloadRecords; pods: WorkloadPods; settings: KubernetesSettings },
  place: WorkloadPlace,
  limits: { cpu?: number; memoryMiB?: number },
  signal: AbortSignal,
): Promise<void> {
  const recorded = records.specOf(await records.get(place, signal));
  if (recorded.kind === 'capsule') throw new RuntimeFault('unsupported', 'The limits of a capsule do not change.');
  const spec = { ...recorded.spec, ...limits };
  const pod = await pods.find(place, signal);
  if (pod && !hasEnded(pod) && !isGoing(pod)) {
    const changed = limitsOf(spec, settings);
    const told = await asked(pods.patch(place, resized(changed), signal, 'resize'));
    try {
      await pods.until(place, (now) => settled(now, changed), signal, told);
    } catch (error) {
      // What cannot be had is not wanted for ever: the kubelet would go on trying.
      await asked(pods.patch(place, resized(limitsOf(recorded.spec, settings)), undefined, 'resize')).catch(() => {});
      throw error;
    }
  }
  const resize = (now: RecordedSpec): RecordedSpec | null =>
    now.kind === 'container' ? { kind: 'container', spec: { ...now.spec, ...limits } } : null;
  await records.revise(place, resize, signal);
}

const resized = (resources: object) => ({ spec: { containers: [{ name: mainContainer, resources }] } });

function limitsOf(spec: Parameters<typeof podResources>[0], { allocationRatios }: Pick<KubernetesSettings, 'allocationRatios'>) {
  const { limits, requests } = podResources(spec, allocationRatios);
  return { limits: computeOf(limits), requests: computeOf(requests) };
}

/** Only these can be resized. */
const computeOf = (resources: Record<string, string> | undefined) =>
  Object.fromEntries(Object.entries(resources ?? {}).filter(([name]) => name === 'cpu' || name === 'memory'));

async function asked(patch: Promise<KubePod>): Promise<KubePod> {
  try {
    return await patch;
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    // A cluster before 1.33 does not know the subresource.
    if (error.status === 404)
      throw new RuntimeFault('unsupported', 'This cluster cannot change the limits of what runs: stop the container first.', {
        cause: error,
      });
    throw error;
  }
}

/** `true` when the kubelet says that the container has the limits. Throws its words when it will never have them. */
function settled(pod: KubePod | null, wanted: { limits: Record<string, string> }): true | null {
  if (!pod || hasEnded(pod) || isGoing(pod)) throw new RuntimeFault('conflict', 'The container ended while its limits were changed.');
  for (const { type, status, reason, message } of pod.status?.conditions ?? []) {
    if (status !== 'True') continue;
    if (type === 'PodResizePending' && reason === 'Infeasible') throw new RuntimeFault('conflict', message ?? 'The node has no room.');
    if (type === 'PodResizeInProgress' && reason === 'Error') throw new RuntimeFault('failed', firstLine(message) ?? 'The kubelet failed.');
  }
  const actual = pod.status?.containerStatuses?.find(({ name }) => name === mainContainer)?.resources?.limits ?? {};
  const isSo = Object.entries(wanted.limits).every(([name, amount]) => actual[name] === amount);
  return isSo ? true : null;
}

/** Without the usage of a program that does not know the call, as gVisor's. */
const firstLine = (message: string | undefined): string | undefined =>
  message
    ?.split('\n', 1)[0]
    ?.replace(/: Usage: .*/, '')
    .trim();
