import type { Clock } from '../../../telemetry/clock.ts';
import { withDeadline } from '../../../telemetry/with-deadline.ts';
import { RuntimeFault } from '../../runtime-fault.ts';
import type { KubeClient } from './kube-client.ts';
import { kubeFault } from './kube-fault.ts';
import { PodConnection } from './pod-connection.ts';

export interface PodCommand {
  namespace: string;
  pod: string;
  container: string;
  command: string[];
  /** What the command reads from stdin, to its end; `null` for no stdin. */
  input?: Buffer | null;
  /** Then it is given up, as a `timeout`; it may go on in the Pod. */
  deadlineMs?: number;
  /** More output than that is refused, as `failed`. */
  maxBytes?: number;
  clock: Clock;
  signal?: AbortSignal | undefined;
}

export interface PodCommandResult {
  /** stdout and stderr interleaved as they came. */
  output: Buffer;
  stdout: Buffer;
  stderr: Buffer;
  exitCode: number;
  /**
   * The container runtime's words when the command could not be started, else `null`. `output` is then what Docker answers, its sentence
   * and line end, and the exit code Docker's 126.
   */
  refusal: string | null;
}

/** So much of the input goes into one message. */
const pieceBytes = 64 * 1024;

/**
 * Runs a command in a container of a Pod and waits for its end. Whatever keeps it from ending is thrown as a `RuntimeFault`. A command that
 * ends without having read its input, beyond what a pipe holds, seems to go on until the deadline: containerd waits to be rid of the
 * rest (`kubectl exec -i POD -- head -c 5` with 20 MB does, too).
 */
export async function runInPod(client: KubeClient, command: PodCommand): Promise<PodCommandResult> {
  const { deadlineMs, clock, signal } = command;
  if (deadlineMs === undefined) return await run(client, command, signal);
  return await withDeadline(clock, deadlineMs, async (expired) => {
    try {
      return await run(client, command, signal === undefined ? expired : AbortSignal.any([signal, expired]));
    } catch (error) {
      if (!expired.aborted || signal?.aborted) throw error;
      throw new RuntimeFault('timeout', `The command did not end within ${deadlineMs / 1000} s.`, { cause: error });
    }
  });
}

async function run(client: KubeClient, command: PodCommand, signal: AbortSignal | undefined): Promise<PodCommandResult> {
  const { namespace, pod, container, input = null } = command;
  const process = { namespace, pod, container, kind: 'exec' as const, command: command.command, stdin: input !== null, tty: false };
  const connection = await PodConnection.open(client, process, signal).catch((error) => {
    throw kubeFault(error, signal);
  });
  const written = collect(connection, command.maxBytes ?? Number.POSITIVE_INFINITY);
  connection.resume();
  if (input !== null) void send(connection, input);
  const { exitCode, error } = await connection.ended;
  const all = written.map(({ data }) => data);
  const of = (wanted: string) => Buffer.concat(written.filter(({ name }) => name === wanted).map(({ data }) => data));
  return {
    output: error === null ? Buffer.concat(all) : Buffer.from(`${error}\r\n`),
    stdout: of('stdout'),
    stderr: of('stderr'),
    exitCode,
    refusal: error,
  };
}

function collect(connection: PodConnection, maxBytes: number): { name: string; data: Buffer }[] {
  const written: { name: string; data: Buffer }[] = [];
  let bytes = 0;
  connection.onOutput = (name, data) => {
    bytes += data.length;
    if (bytes > maxBytes) return connection.close(new RuntimeFault('failed', `The command wrote more than ${maxBytes} bytes.`));
    written.push({ name, data });
  };
  return written;
}

/** Never throws: a command may end, or its connection be lost, before it has read everything, and its end tells. */
async function send(connection: PodConnection, input: Buffer): Promise<void> {
  if (!connection.canEndInput) {
    connection.close(new RuntimeFault('unsupported', 'The Kubernetes API server cannot end a stdin; that takes Kubernetes 1.30 or newer.'));
    return;
  }
  for (let at = 0; at < input.length; at += pieceBytes) {
    const piece = input.subarray(at, at + pieceBytes);
    const failed = await new Promise<boolean>((resolve) => connection.write(piece, (error) => resolve(Boolean(error))));
    if (failed) return;
  }
  connection.endInput();
}
