import type { V1Status } from '@kubernetes/client-node';
import { WebSocket } from 'ws';
import type { Clock } from '../../../telemetry/clock.ts';
import { RuntimeFault } from '../../runtime-fault.ts';
import { type ExecEnd, execEnd } from './exec-end.ts';
import type { KubeClient } from './kube-client.ts';
import { kubeFault } from './kube-fault.ts';

/** Which process of a Pod is to be talked to. */
export interface PodProcess {
  namespace: string;
  pod: string;
  container: string;
  /** `exec` starts `command`; `attach` joins the container's first process. */
  kind: 'exec' | 'attach';
  command?: string[];
  stdin: boolean;
  /** One stream for stdout and stderr, which can be resized. */
  tty: boolean;
  /**
   * `false`: its stdin will not be ended, which only the newest protocol can do. API servers translate that one, and say that the connection is
   * open before they have asked the node; the one before it they hand on, so that who attaches misses nothing: what was written 1 ms after the
   * opening has come, and up to 15 ms were missed else (1.34, a busy machine).
   */
  endsInput?: boolean;
}

export type OutputName = 'stdout' | 'stderr';

/** Subprotocols of Kubernetes' streams; only the first can end stdin. API servers speak it since 1.30. */
const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const channels = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4, close: 255 } as const;

const pingMs = 20_000;
/** Three pings without an answer. */
const longestSilenceMs = 65_000;
/** Of input that a process does not read, so much fits into its pipe; more may stand in the way of pings, which come in turn. */
const pipeBytes = 64 * 1024;
/** The server closes after the Status when all output is out; one that forgets is not waited for longer. */
const closeMs = 5_000;
/** More than so much that is not on its way yet makes the writer wait. */
const mostBuffered = 1024 * 1024;

/**
 * One exec or attach over a WebSocket. Begins paused: set `onOutput`, then `resume()`. Closing it does not end the process in the Pod; its
 * stdin and its output are gone, that is all Kubernetes does.
 */
export class PodConnection {
  onOutput: (name: OutputName, data: Buffer) => void = () => {};
  /** After all output. Rejects with a `RuntimeFault` when the connection is lost or closed before the Status. */
  readonly ended: Promise<ExecEnd>;
  /** Whether `endInput` reaches the process. */
  readonly canEndInput: boolean;
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #over = new AbortController();
  readonly #status: Buffer[] = [];
  #heardAt: number;
  /** Bytes of input, and how many of them the last ping that was answered has followed. */
  #written = 0;
  #taken = 0;
  /** Why we gave up ourselves. */
  #reason: RuntimeFault | null = null;

  private constructor(socket: WebSocket, clock: Clock, signal: AbortSignal | undefined) {
    this.#socket = socket;
    this.#clock = clock;
    this.#heardAt = clock.now();
    this.canEndInput = socket.protocol === protocols[0];
    const heard = () => {
      this.#heardAt = clock.now();
    };
    socket.on('message', (data: Buffer) => {
      heard();
      this.#receive(data);
    });
    socket.on('pong', (written: Buffer) => {
      heard();
      this.#taken = Number(written.toString()) || this.#taken;
    });
    this.ended = new Promise((resolve, reject) => {
      let words = '';
      socket.on('error', (error) => {
        words = error.message;
      });
      socket.once('close', (code, reason) => {
        this.#over.abort();
        try {
          resolve(this.#end(words || reason.toString() || `closed with code ${code}`, signal));
        } catch (error) {
          reject(error);
        }
      });
    });
    // Not everybody waits for it.
    this.ended.catch(() => {});
    void this.#keepAlive();
  }

  /** Refusals before the process is reached (no such Pod, no right) are thrown as `KubeError` or `RuntimeFault`. */
  static async open(client: KubeClient, process: PodProcess, signal?: AbortSignal): Promise<PodConnection> {
    const { namespace, pod, kind, endsInput = true } = process;
    const path = `/api/v1/namespaces/${namespace}/pods/${pod}/${kind}`;
    const socket = await client.connect(path, query(process), endsInput ? protocols : protocols.slice(1), signal);
    return new PodConnection(socket, client.clock, signal);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#heardAt = this.#clock.now();
    this.#socket.resume();
  }

  /** `sent` is called when more may be written, or with the error that keeps it from being sent. */
  write(data: Buffer, sent: (error?: Error | null) => void): void {
    this.#written += data.length;
    const frame = Buffer.allocUnsafe(data.length + 1);
    frame[0] = channels.stdin;
    data.copy(frame, 1);
    // A socket that is no longer open would take it without a word.
    const waits = this.#socket.readyState !== WebSocket.OPEN || this.#socket.bufferedAmount > mostBuffered;
    this.#socket.send(frame, { binary: true }, waits ? sent : undefined);
    if (!waits) sent();
  }

  /** The process reads the end of its stdin, if `canEndInput`. */
  endInput(): void {
    if (this.canEndInput) this.#socket.send(Buffer.of(channels.close, channels.stdin), { binary: true });
  }

  resize(columns: number, rows: number): void {
    const size = JSON.stringify({ Width: columns, Height: rows });
    this.#socket.send(Buffer.concat([Buffer.of(channels.resize), Buffer.from(size)]), { binary: true });
  }

  close(reason = new RuntimeFault('failed', 'The stream was closed before the command had ended.')): void {
    this.#reason ??= reason;
    this.#socket.terminate();
  }

  #receive(data: Buffer): void {
    const payload = data.subarray(1);
    // Each channel begins with an empty message.
    if (payload.length === 0) return;
    if (data[0] === channels.stdout) this.onOutput('stdout', payload);
    else if (data[0] === channels.stderr) this.onOutput('stderr', payload);
    else if (data[0] === channels.status) {
      if (this.#status.length === 0) void this.#awaitClose();
      this.#status.push(payload);
    }
  }

  #end(words: string, signal: AbortSignal | undefined): ExecEnd {
    if (this.#reason) throw this.#reason;
    if (this.#status.length > 0) return execEnd(parsedStatus(Buffer.concat(this.#status)));
    if (signal?.aborted) throw kubeFault(signal.reason, signal);
    throw new RuntimeFault('unreachable', `The connection to the process in the Pod was lost: ${words}`);
  }

  /** A node that is gone closes nothing. While we don't read, or the process does not, we can't hear either. */
  async #keepAlive(): Promise<void> {
    const { signal } = this.#over;
    for (;;) {
      await this.#clock.sleep(pingMs, signal);
      if (signal.aborted) return;
      const canHear = !this.#socket.isPaused && this.#written - this.#taken < pipeBytes;
      if (canHear && this.#silence() > longestSilenceMs) {
        return this.close(new RuntimeFault('unreachable', 'The connection to the process in the Pod was lost: it went silent.'));
      }
      this.#socket.ping(String(this.#written));
    }
  }

  async #awaitClose(): Promise<void> {
    const { signal } = this.#over;
    for (;;) {
      await this.#clock.sleep(closeMs, signal);
      if (signal.aborted) return;
      if (!this.#socket.isPaused && this.#silence() >= closeMs) return this.#socket.terminate();
    }
  }

  #silence(): number {
    return this.#clock.now() - this.#heardAt;
  }
}

function query({ container, kind, command, stdin, tty }: PodProcess): [string, string][] {
  const streams = { stdin, stdout: true, stderr: !tty, tty };
  return [
    ['container', container],
    ...(kind === 'exec' ? (command ?? []).map((word): [string, string] => ['command', word]) : []),
    ...Object.entries(streams).map(([name, wanted]): [string, string] => [name, String(wanted)]),
  ];
}

function parsedStatus(text: Buffer): V1Status {
  try {
    return JSON.parse(text.toString('utf8')) as V1Status;
  } catch (error) {
    throw new RuntimeFault('unreachable', `Kubernetes ended the command with what is no Status: ${text.toString('utf8', 0, 200)}`, {
      cause: error,
    });
  }
}
