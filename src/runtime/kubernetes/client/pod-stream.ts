import { Readable, Writable } from 'node:stream';
import { RuntimeFault } from '../../runtime-fault.ts';
import { type ExecEnd, saysNotRunning } from './exec-end.ts';
import type { KubeClient } from './kube-client.ts';
import { KubeError } from './kube-error.ts';
import { kubeFault } from './kube-fault.ts';
import { type OutputName, PodConnection, type PodProcess } from './pod-connection.ts';

/**
 * A process in a Pod that is talked to. Both outputs have to be read, or destroyed: while one is full nothing is received. After the end
 * they end; when the connection is lost they are destroyed with the fault.
 */
export interface PodStream {
  stdout: Readable;
  /** Nothing comes here with `tty`. */
  stderr: Readable;
  /** Ending it ends the process's stdin (Kubernetes 1.30 and newer). */
  stdin: Writable;
  resize(columns: number, rows: number): void;
  /**
   * How the process ended, after all its output; of an attach, how the attachment ended: its exit code is not the container's. Rejects with
   * a `RuntimeFault` when the connection is lost or closed before. Needs no handler.
   */
  ended: Promise<ExecEnd>;
  /** Lets go. A process that `exec` started goes on without its streams. */
  close(): void;
}

/** Of each output, so much is held before the connection has to wait. */
const heldBytes = 256 * 1024;
const pieceBytes = 64 * 1024;

/**
 * Starts a command in a container, or joins its first process. Throws a `RuntimeFault` when that is refused. The signal tears the stream down
 * whenever it aborts. `merged`: stdout has both outputs as they came, and the container runtime's words when the command could not be started.
 */
export async function openPodStream(
  client: KubeClient,
  process: PodProcess & { merged?: boolean; signal?: AbortSignal | undefined },
): Promise<PodStream> {
  const { merged = false } = process;
  const connection = await PodConnection.open(client, process, process.signal).catch((error) => {
    if (error instanceof KubeError && saysNotRunning(error.message)) throw new RuntimeFault('conflict', error.message, { cause: error });
    throw kubeFault(error, process.signal);
  });
  const { stdout, stderr } = outputs(connection, merged);
  const stdin = input(connection, process.stdin);
  // An error reaches whoever reads or writes; without a listener of its own it would end this process.
  for (const stream of [stdout, stderr, stdin]) stream.on('error', () => {});
  connection.ended.then(
    ({ error }) => {
      if (merged && error !== null) stdout.push(`${error}\r\n`);
      stdout.push(null);
      stderr.push(null);
      stdin.destroy();
    },
    (fault) => {
      for (const stream of [stdout, stderr, stdin]) stream.destroy(fault);
    },
  );
  connection.resume();
  return {
    stdout,
    stderr,
    stdin,
    ended: connection.ended,
    resize: (columns, rows) => connection.resize(columns, rows),
    close: () => connection.close(),
  };
}

/** One socket brings both; it is paused while either is full. */
function outputs(connection: PodConnection, merged: boolean): Record<OutputName, Readable> {
  const full = new Set<OutputName>();
  const hasRoom = (name: OutputName) => {
    if (full.delete(name) && full.size === 0) connection.resume();
  };
  const output = (name: OutputName) =>
    new Readable({
      highWaterMark: heldBytes,
      read: () => hasRoom(name),
      destroy: (error, done) => {
        hasRoom(name);
        done(error);
      },
    });
  const made = { stdout: output('stdout'), stderr: output('stderr') };
  connection.onOutput = (from, data) => {
    const name = merged ? 'stdout' : from;
    if (made[name].destroyed || made[name].push(data)) return;
    full.add(name);
    connection.pause();
  };
  return made;
}

function input(connection: PodConnection, wanted: boolean): Writable {
  return new Writable({
    highWaterMark: pieceBytes,
    write(data: Buffer, _encoding, done) {
      if (!wanted) return done(new RuntimeFault('invalid', 'The process was asked for without stdin.'));
      const next = (at: number): void => {
        const piece = data.subarray(at, at + pieceBytes);
        connection.write(piece, (error) => (error || at + pieceBytes >= data.length ? done(error) : next(at + pieceBytes)));
      };
      next(0);
    },
    final(done) {
      if (wanted) connection.endInput();
      done();
    },
  });
}
