import type { Console, ConsoleTarget } from './console.ts';
import type { RegistryCredentials } from './image-store.ts';

/**
 * The port to whatever runs workloads: Docker Engine API, Kubernetes, or the shipped in-memory runtime.
 *
 * A workload is addressed by the UUID of its Zun container; an adapter derives its own name from it
 * (`zun-<uuid>` on Docker), so that every call can be repeated after a crash and finds what an earlier
 * attempt made. Every mutating call is therefore idempotent: creating what exists with the same UUID,
 * starting what runs, stopping what ended and removing what is gone all succeed.
 *
 * All errors are `RuntimeFault` (see `runtime-fault.ts`).
 */
export interface ContainerRuntime {
  /** Short name for logs and host views: `docker`, `podman`, `memory`, `kubernetes`. */
  readonly name: string;
  /** False where health checks only run when `probeHealth` is called. May change once, when an engine that comes late turns out to be so. */
  readonly runsHealthchecks: boolean;
  /** True for an adapter that runs workloads on many nodes (a cluster): it is not this host's alone, and `spec.host` says where. */
  readonly spansHosts: boolean;
  /** True where the node brings the image as part of `start`, from `spec.imagePull`: nobody pulls before. */
  readonly pullsAtStart: boolean;
  /** Present where a capsule is one object of the runtime (a Pod), whose containers cannot be added one by one. */
  readonly capsules?: CapsuleRuntime;
  /** Operations of the API that this runtime cannot do at all, as it is set up, with the sentence that says why and what to do instead. */
  readonly refuses?: Readonly<Partial<Record<RefusableOperation, string>>>;
  /** Facts about the machine and the engine. Throws `unreachable` while the engine does not answer. */
  describeNode(signal?: AbortSignal): Promise<NodeFacts>;

  /**
   * Has no signal: an engine goes on with a create that nobody waits for, and what it makes then meets the undo (Podman 4.3 was left
   * with a container that it could neither list nor remove, and that held its volume). It is waited for, and undone after.
   */
  create(spec: WorkloadSpec): Promise<void>;
  /**
   * Returns once the main process runs, or has run. Fails when it cannot be started; the workload then stays created, or as it had ended.
   * Where images come with the start (`pullsAtStart`) it takes as long as they do, and fails with the registry's words. Answers how the
   * workload is where it was just seen to run, so that nobody has to ask; `null` = ask. `since` (epoch milliseconds, whole seconds): what has
   * started later than that is not started again, though it may have ended since: an earlier attempt did that. A runtime that hears late
   * of what its nodes do heeds it; whoever calls has looked before.
   */
  start(uuid: string, signal?: AbortSignal, since?: number | null): Promise<WorkloadObservation | null>;
  /** Ends the workload's main process: its stop signal, then SIGKILL after the grace period. Keeps filesystem and logs. */
  stop(uuid: string, graceSeconds: number, signal?: AbortSignal): Promise<void>;
  restart(uuid: string, graceSeconds: number, signal?: AbortSignal): Promise<void>;
  /** `signalName` as clients send it: `SIGTERM`, `TERM` or a number; the engine judges it. */
  kill(uuid: string, signalName: string, signal?: AbortSignal): Promise<void>;
  pause(uuid: string, signal?: AbortSignal): Promise<void>;
  unpause(uuid: string, signal?: AbortSignal): Promise<void>;
  /** Removes the workload, its anonymous volumes and the files made for its `content` mounts, running or not. */
  remove(uuid: string, signal?: AbortSignal): Promise<void>;
  /** Changes limits in place. Absent members stay as they are. */
  update(uuid: string, limits: { cpu?: number; memoryMiB?: number }, signal?: AbortSignal): Promise<void>;

  /** `null` when the engine answers and has no such workload. */
  inspect(uuid: string, signal?: AbortSignal): Promise<WorkloadObservation | null>;
  /** Every workload that belongs to Zun on this runtime. */
  list(signal?: AbortSignal): Promise<WorkloadObservation[]>;
  /**
   * Changes as they happen, until the signal aborts or the stream is lost (then it throws). Not replayed: follow up with `list` once
   * `told` has heard `opened`; what happens from then on is told. `told` may not throw. Of a workload that is being removed `inspect` may
   * still answer its end right after its `destroy`, until `remove` has answered.
   */
  events(signal: AbortSignal, told?: (happening: StreamHappening) => void): AsyncIterable<RuntimeEvent>;

  /** stdout and stderr in the order the engine recorded them. */
  logs(uuid: string, options: LogOptions, signal?: AbortSignal): Promise<Buffer>;
  /** Runs a command to its end inside a running workload; `deadlineMs` bounds the wait (`timeout` fault). */
  exec(uuid: string, command: string[], deadlineMs: number, signal?: AbortSignal): Promise<ExecResult>;
  /**
   * Opens a console; the signal ends the opening alone. Faults `conflict` for what does not run. A command that can't be started is no fault:
   * its output is the engine's words, and it ends.
   */
  openConsole(uuid: string, target: ConsoleTarget, signal?: AbortSignal): Promise<Console>;
  /** `psArgs` as for ps(1); `null` = the engine's default. */
  top(uuid: string, psArgs: string | null, signal?: AbortSignal): Promise<ProcessTable>;
  stats(uuid: string, signal?: AbortSignal): Promise<WorkloadStats>;
  /** A tar stream's bytes of the path, and what stat(2) says of it. Fault `not-found` when the path does not exist. */
  getArchive(uuid: string, path: string, signal?: AbortSignal): Promise<{ tar: Buffer; stat: PathStat }>;
  /** Unpacks a tar archive at the path. Fault `not-found` (path), `invalid` (no tar, or not a directory). */
  putArchive(uuid: string, path: string, tar: Buffer, signal?: AbortSignal): Promise<void>;
  /** Makes an image of the workload's filesystem; answers the image's id in the engine. Pauses the workload while it does so. */
  commit(uuid: string, repository: string, tag: string, signal?: AbortSignal): Promise<{ imageId: string }>;

  /**
   * Adds a network interface, which the process sees on return where it runs, and which it has after each start. Attaching what is attached
   * succeeds. `unsupported` where what runs can take none; `failed` when whoever makes interfaces did not. Then nothing has changed.
   */
  connectNetwork(uuid: string, interface_: NetworkInterface, signal?: AbortSignal): Promise<void>;
  /** Removes the interface on that engine network; one that is not there is. `conflict` for what the workload cannot be without. */
  disconnectNetwork(uuid: string, engineNetwork: string, signal?: AbortSignal): Promise<void>;

  /** Runs the workload's healthcheck once where the engine does not run it by itself; a no-op elsewhere. */
  probeHealth(uuid: string, signal?: AbortSignal): Promise<void>;
}

/** By the names of the API's routes. */
export type RefusableOperation = 'pause' | 'unpause' | 'commit' | 'network_attach' | 'network_detach';

/**
 * Capsules as one object each, on a runtime that also brings images with the start. `start`, `stop` and `remove` of the capsule's UUID
 * mean all of it; no other call does. `inspect` and `list` show the capsule and each of its containers under their own UUIDs, under which
 * containers also answer `logs`, `exec`, `top`, `stats` and archives; no single one is started, stopped or removed. Faults as for workloads.
 *
 * `start` of a capsule returns once its first init container (its first container, where there is none) runs or has run, and fails when that
 * cannot be started. The rest follows without a call: init containers one after another, each to its success (again and again where the
 * restart policy is not `no`, whatever its maximum), then the containers, in order. A later one that cannot be started, as soon as that is
 * certain, has the words in `state.error` and no `startedAt`. A start of what has ended runs all of it anew.
 *
 * The capsule's own state: `created` until it is started, `running` from then on, `exited` when it was stopped, when an init container has
 * failed for good, and when every container has ended and none is to run again. Its addresses are the capsule's; its containers have none.
 */
export interface CapsuleRuntime {
  /** Idempotent by UUID, like `create` of a workload. Nothing runs yet, no image is looked at. */
  create(spec: CapsuleSpec): Promise<void>;
}

/** One network namespace, one host, shared volumes. */
export interface CapsuleSpec {
  uuid: string;
  projectId: string;
  host: string | null;
  hostname: string | null;
  labels: Record<string, string>;
  /** Of all containers: what their own say beside it does not count. */
  restartPolicy: RestartPolicy;
  networks: NetworkInterface[];
  /** Run to their end one after another, before the containers. */
  initContainers: WorkloadSpec[];
  containers: WorkloadSpec[];
}

/** What is to run. Strings are as the engine wants them; units are in the names. */
export interface WorkloadSpec {
  uuid: string;
  /** Whose it is: a cluster keeps projects apart. */
  projectId: string;
  /** The node it was placed on; `null` = wherever the runtime likes. */
  host: string | null;
  /** Engine reference, already resolved and pulled: `registry:5000/repo:tag` or an image id. */
  image: string;
  /** How the node brings the image where that is part of `start`; `null` = it is there. */
  imagePull: ImagePull | null;
  /** `null` = the image's own. */
  command: string[] | null;
  entrypoint: string[] | null;
  environment: Record<string, string>;
  workdir: string | null;
  /** The user's labels; adapters add their own. */
  labels: Record<string, string>;
  hostname: string | null;
  tty: boolean;
  /** Keep stdin open. */
  interactive: boolean;
  privileged: boolean;
  restartPolicy: RestartPolicy;
  /** The engine removes the workload when it ends. */
  autoRemove: boolean;
  /** Cores; `null` = no limit. */
  cpu: number | null;
  memoryMiB: number | null;
  /** Root filesystem limit; 0 = none. */
  diskGiB: number;
  healthcheck: Healthcheck | null;
  /** `80/tcp`. */
  exposedPorts: string[];
  /** Engine runtime (`runc`, `kata`); `null` = the engine's default. */
  runtime: string | null;
  mounts: WorkloadMount[];
  networks: NetworkInterface[];
  /** UUID of a running workload whose network and IPC namespaces this one joins; `networks` is empty and `hostname` null then. */
  sandbox?: string;
  /** Others may join its namespaces (`sandbox`). */
  sharesNamespaces?: boolean;
}

export interface ImagePull {
  policy: 'always' | 'ifnotpresent' | 'never';
  credentials: RegistryCredentials | null;
}

export interface RestartPolicy {
  name: 'no' | 'always' | 'on-failure' | 'unless-stopped';
  maximumRetryCount: number;
}

/** Seconds throughout; the command runs through the image's shell. */
export interface Healthcheck {
  command: string;
  intervalSeconds: number | null;
  timeoutSeconds: number | null;
  retries: number | null;
}

/** `source` is an engine volume's name; `content` the bytes of the file that `destination` names. */
export type WorkloadMount =
  | { kind: 'volume'; source: string; destination: string; readOnly: boolean }
  | { kind: 'content'; content: Buffer; destination: string };

export interface NetworkInterface {
  /** Engine network name or id. */
  engineNetwork: string;
  ipv4: string | null;
  ipv6: string | null;
  mac: string | null;
}

/** What the engine says of a workload now. Times are epoch milliseconds, `null` for the engine's zero time. */
export interface WorkloadObservation {
  uuid: string;
  engineId: string;
  state: WorkloadState;
  /** How often the runtime itself has started it again since the last `start`; absent where it does not tell. */
  restartCount?: number;
  hostname: string | null;
  /** What the workload runs, from the spec or else the image; absent where the runtime does not tell. */
  command?: string[];
  entrypoint?: string[];
  /** Exposed ports, numbers only, as `container.ports` shows them. */
  ports: number[];
  /** By engine network name, as far as the engine has given addresses. */
  addresses: Record<string, { ipv4: string | null; ipv6: string | null; mac: string | null }>;
  image: string;
  runtime: string | null;
  /** When the state will be another though nothing happens that an event would tell of, epoch milliseconds; absent where there is no such time. */
  changesAt?: number;
}

/** Docker's `State` reduced to what the status rule needs (`sync/container-status.ts`). */
export interface WorkloadState {
  /** `unknown`: it exists, and nobody can tell how it is (its node does not answer); `error` says why. */
  status: 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead' | 'unknown';
  exitCode: number;
  /** The engine's words when the last start failed, or for why it ended so; '' when there are none. */
  error: string;
  oomKilled: boolean;
  startedAt: number | null;
  finishedAt: number | null;
  health: 'starting' | 'healthy' | 'unhealthy' | null;
}

/**
 * What a stream of events itself meets. `opened`, once: from now on all is told. `connected`, `disconnected`: its connection, which an adapter may
 * make anew by itself and lose nothing. `alive`: a sign of life without news. `expired`: it cannot go on from where it was; it throws next.
 */
export type StreamHappening = 'opened' | 'connected' | 'disconnected' | 'alive' | 'expired';

export interface RuntimeEvent {
  uuid: string;
  /** `start`, `die`, `destroy`, `pause`, `unpause`, `oom`, `health_status`, … as the engine names it. */
  action: string;
  /** Epoch milliseconds. */
  at: number;
}

export interface LogOptions {
  stdout: boolean;
  stderr: boolean;
  timestamps: boolean;
  /** Last lines, or all. */
  tail: number | 'all';
  /** Epoch seconds; 0 = from the beginning. */
  since: number;
}

export interface ExecResult {
  /** stdout and stderr interleaved as they came, raw bytes. */
  output: Buffer;
  exitCode: number;
}

/** Docker's shape of `top`, which Zun passes on. */
export interface ProcessTable {
  Titles: string[];
  Processes: string[][];
}

/** The figures of the original's `stats` (docker/driver.py, stats). Bytes unless said. */
export interface WorkloadStats {
  /** Percent of all cores, as the original computes it from two samples. */
  cpuPercent: number;
  memoryUsedBytes: number;
  memoryLimitBytes: number;
  blockReadBytes: number;
  blockWriteBytes: number;
  networkReceivedBytes: number;
  networkSentBytes: number;
}

/** Docker's `X-Docker-Container-Path-Stat`. */
export interface PathStat {
  name: string;
  size: number;
  /** Go's os.FileMode bits as the engine sends them. */
  mode: number;
  /** RFC 3339. */
  mtime: string;
  linkTarget: string;
}

export interface NodeFacts {
  hostname: string;
  /** What the node is called where names come again, for as long as it is this node: its provider's uuid. Absent where there is none. */
  uid?: string;
  cpus: number;
  memoryTotalMiB: number;
  diskTotalGiB: number;
  diskUsedGiB: number;
  diskQuotaSupported: boolean;
  architecture: string;
  osType: string;
  os: string;
  kernelVersion: string;
  /** `key -> value` of the engine's labels. */
  labels: Record<string, string>;
  runtimes: string[];
  containers: { total: number; running: number; paused: number; stopped: number };
}
