import type { LogOptions } from '../container-runtime.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import type { KubeClient } from './client/kube-client.ts';
import { KubeError } from './client/kube-error.ts';
import { kubePaths } from './client/kube-paths.ts';
import { noSuchWorkload, type WorkloadPlace } from './workload-place.ts';
import type { WorkloadPods } from './workload-pods.ts';
import type { WorkloadRecords } from './workload-records.ts';

export interface LogParts {
  client: KubeClient;
  pods: WorkloadPods;
  records: WorkloadRecords;
  /** Nodes tell the streams apart. */
  splitsStreams: boolean;
}

/**
 * What a workload printed: of the run that is there, and of the one before it when the kubelet has run it again, which is as far as
 * a kubelet keeps. One stream alone takes nodes that tell them apart.
 */
export async function workloadLogs(parts: LogParts, place: WorkloadPlace, options: LogOptions, signal?: AbortSignal): Promise<Buffer> {
  if (!options.stdout && !options.stderr) throw new RuntimeFault('invalid', 'Bad parameters: you must choose at least one stream');
  const pod = await parts.pods.find(place, signal);
  if (!pod) {
    if (!(await parts.records.find(place, signal))) throw noSuchWorkload(place.uuid);
    return Buffer.alloc(0);
  }
  const single = options.stdout === options.stderr ? null : options.stdout ? 'Stdout' : 'Stderr';
  if (single !== null && !parts.splitsStreams) {
    throw new RuntimeFault(
      'unsupported',
      'The nodes of this cluster do not tell standard output from standard error: ask for both (the operator can change that, see kubernetes.splitsLogStreams).',
    );
  }
  const container = place.container ?? pod.spec?.containers[0]?.name ?? '';
  const statuses = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
  const restarts = statuses.find(({ name }) => name === container)?.restartCount ?? 0;
  const read = (previous: boolean) => readLog(parts, place, container, { options, single, previous }, signal);
  const runs = restarts > 0 ? [await read(true), await read(false)] : [await read(false)];
  return lastLines(Buffer.concat(runs), options.tail);
}

async function readLog(
  { client }: LogParts,
  { namespace, name }: WorkloadPlace,
  container: string,
  { options, single, previous }: { options: LogOptions; single: string | null; previous: boolean },
  signal?: AbortSignal,
): Promise<Buffer> {
  const query = {
    container,
    ...(previous ? { previous: 'true' } : {}),
    ...(options.timestamps ? { timestamps: 'true' } : {}),
    ...(options.since > 0 ? { sinceTime: new Date(options.since * 1000).toISOString() } : {}),
    // The API server takes no number of lines for one stream.
    ...(single === null ? (options.tail === 'all' ? {} : { tailLines: String(options.tail) }) : { stream: single }),
  };
  try {
    return await client.bytes({ method: 'GET', path: kubePaths.pod(namespace, name, 'log'), query, signal });
  } catch (error) {
    // Of a container that has not run there is no log: `container "main" in pod "…" is waiting to start`, `previous terminated container … not found`.
    if (error instanceof KubeError && error.status === 400) return Buffer.alloc(0);
    throw error;
  }
}

/** The last lines of a log; its last line may lack the line end. */
function lastLines(log: Buffer, count: number | 'all'): Buffer {
  if (count === 'all') return log;
  let at = log.length;
  if (at > 0 && log[at - 1] === lineEnd) at -= 1;
  for (let left = count; left > 0 && at > 0; left -= 1) at = log.lastIndexOf(lineEnd, at - 1);
  if (count === 0) return Buffer.alloc(0);
  return log.subarray(at <= 0 ? 0 : at + 1);
}

const lineEnd = 0x0a;
