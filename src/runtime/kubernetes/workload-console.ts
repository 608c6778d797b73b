import { Writable } from 'node:stream';
import type { Console, ConsoleTarget } from '../console.ts';
import type { KubeClient } from './client/kube-client.ts';
import { kubeFault } from './client/kube-fault.ts';
import type { PodProcess } from './client/pod-connection.ts';
import { openPodStream, type PodStream } from './client/pod-stream.ts';
import type { KubePod } from './kube-object.ts';
import { asRunning } from './run-in-workload.ts';
import type { WorkloadPlace } from './workload-place.ts';
import type { WorkloadPods } from './workload-pods.ts';

/**
 * Opens a console in a running workload. It asks for the Pod alone: whoever serves consoles needs no right to read records, which hold the
 * environments of containers. So what has no Pod does not run, whether or not there is a record. Faults `conflict`, and as of `openPodStream`.
 */
export async function openWorkloadConsole(
  { client, pods }: { client: KubeClient; pods: WorkloadPods },
  place: WorkloadPlace,
  target: ConsoleTarget,
  signal?: AbortSignal,
): Promise<Console> {
  if (signal?.aborted) throw kubeFault(signal.reason, signal);
  const pod = asRunning(await pods.find(place, signal), place);
  const wanted = { ...processOf(pod, place, target), endsInput: false };
  const stream = await opened(signal, (opening) => openPodStream(client, { ...wanted, merged: true, signal: opening }));
  // Nothing comes there.
  stream.stderr.resume();
  const input = wanted.stdin ? passing(stream) : swallowing();
  return {
    output: stream.stdout,
    input,
    resize: async ({ width, height }) => {
      if (wanted.tty) stream.resize(width, height);
    },
    close: () => {
      // Before the fault of a stream that was closed too early.
      stream.stdout.destroy();
      input.destroy();
      stream.close();
    },
  };
}

function processOf(pod: KubePod, { namespace, name, container }: WorkloadPlace, target: ConsoleTarget): PodProcess {
  const where = { namespace, pod: name, container: container ?? '' };
  if (target.kind === 'exec') {
    const { command, interactive } = target;
    return { ...where, kind: 'exec', command: [...command], stdin: interactive, tty: interactive };
  }
  // The kubelet refuses a terminal or a stdin that the container has not.
  const spec = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])].find((each) => each.name === container);
  return { ...where, kind: 'attach', stdin: spec?.stdin ?? false, tty: spec?.tty ?? false };
}

/** The signal of a stream tears it down whenever it aborts; that of a console ends the opening alone. */
async function opened<T>(signal: AbortSignal | undefined, open: (opening: AbortSignal) => Promise<T>): Promise<T> {
  const opening = new AbortController();
  const abort = () => opening.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await open(opening.signal);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/**
 * Its end stays here. containerd takes the end of a terminal's input, and of a stdin that is open for the next who attaches (`stdinOnce: false`,
 * as in the original), for the wish to have no more output.
 */
function passing({ stdin }: PodStream): Writable {
  // What the process can't take any more is no error here: its output tells why.
  return new Writable({ write: (data: Buffer, _encoding, done) => void stdin.write(data, () => done()) });
}

const swallowing = (): Writable => new Writable({ write: (_data, _encoding, done) => done() });
