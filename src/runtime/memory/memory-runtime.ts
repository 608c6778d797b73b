import type { Clock } from '../../telemetry/clock.ts';
import type { Ids } from '../../telemetry/ids.ts';
import type {
  ContainerRuntime,
  ExecResult,
  LogOptions,
  NetworkInterface,
  NodeFacts,
  PathStat,
  ProcessTable,
  RuntimeEvent,
  WorkloadObservation,
  WorkloadSpec,
  WorkloadStats,
} from '../container-runtime.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import { signalName } from '../signal-name.ts';
import { EventFeed } from './event-feed.ts';
import { readArchive, writeArchive } from './memory-archive.ts';
import { MemoryFiles } from './memory-files.ts';
import type { MemoryImageStore } from './memory-image-store.ts';
import { MemoryNetworks } from './memory-networks.ts';
import { memoryNode } from './memory-node.ts';
import { MemoryWorkload } from './memory-workload.ts';
import { psTable } from './ps-table.ts';
import { runGuest } from './run-guest.ts';
import { untilAborted } from './until-aborted.ts';

/** Runs around every call of the port, with the call's name and arguments; may throw or wait. */
export type CallHook = (call: string, args: readonly unknown[]) => void | Promise<void>;

export interface MemoryRuntimeOptions {
  clock: Clock;
  ids: Ids;
  images: MemoryImageStore;
  networks?: MemoryNetworks;
  /** Before anything happened: an engine that refuses, is slow or is not there. */
  before?: CallHook;
  /** After it happened and before the caller learns of it: a connection lost, a caller that crashed. */
  after?: CallHook;
  node?: Partial<NodeFacts>;
}

const MIB = 1024 * 1024;
/** What every workload is said to use. */
const USED_BYTES = MIB;
/** Docker's floor for a memory limit. */
const LEAST_MEMORY_MIB = 6;

/**
 * The shipped runtime without an engine: workloads, files, logs, events and time are in this object, and what they run is
 * interpreted (`programs.ts`). For tests, simulation and benchmarks; passes the same contract test as the real adapters.
 */
export class MemoryRuntime implements ContainerRuntime {
  readonly name = 'memory';
  readonly runsHealthchecks = false;
  readonly spansHosts = false;
  readonly pullsAtStart = false;
  readonly networks: MemoryNetworks;
  readonly #options: MemoryRuntimeOptions;
  readonly #workloads = new Map<string, MemoryWorkload>();
  readonly #volumes = new Map<string, MemoryFiles>();
  readonly #feed = new EventFeed();

  constructor(options: MemoryRuntimeOptions) {
    this.#options = options;
    this.networks = options.networks ?? new MemoryNetworks();
  }

  describeNode(signal?: AbortSignal): Promise<NodeFacts> {
    return this.#call('describeNode', [], signal, () => this.#nodeFacts());
  }

  create(spec: WorkloadSpec): Promise<void> {
    return this.#call('create', [spec], undefined, () => this.#create(spec));
  }

  start(uuid: string, signal?: AbortSignal): Promise<void> {
    return this.#call('start', [uuid], signal, () => {
      const workload = this.#require(uuid);
      this.#requireSandbox(workload.spec);
      workload.start();
    });
  }

  stop(uuid: string, graceSeconds: number, signal?: AbortSignal): Promise<void> {
    return this.#call('stop', [uuid, graceSeconds], signal, () => this.#require(uuid).stop(graceSeconds * 1000));
  }

  restart(uuid: string, graceSeconds: number, signal?: AbortSignal): Promise<void> {
    return this.#call('restart', [uuid, graceSeconds], signal, async () => {
      const workload = this.#require(uuid);
      this.#requireSandbox(workload.spec);
      await workload.stop(graceSeconds * 1000);
      // It may have been removed meanwhile, and would run on with nobody to see it.
      this.#require(uuid).start();
    });
  }

  kill(uuid: string, name: string, signal?: AbortSignal): Promise<void> {
    return this.#call('kill', [uuid, name], signal, () => this.#require(uuid).kill(signalName(name)));
  }

  pause(uuid: string, signal?: AbortSignal): Promise<void> {
    return this.#call('pause', [uuid], signal, () => this.#require(uuid).pause());
  }

  unpause(uuid: string, signal?: AbortSignal): Promise<void> {
    return this.#call('unpause', [uuid], signal, () => this.#require(uuid).unpause());
  }

  remove(uuid: string, signal?: AbortSignal): Promise<void> {
    return this.#call('remove', [uuid], signal, async () => {
      const workload = this.#workloads.get(uuid);
      // A restart that waited for the same end may have started it again.
      while (workload?.runs) await workload.stop(0);
      this.#forget(uuid);
    });
  }

  update(uuid: string, limits: { cpu?: number; memoryMiB?: number }, signal?: AbortSignal): Promise<void> {
    return this.#call('update', [uuid, limits], signal, () => {
      const workload = this.#require(uuid);
      requireMemory(limits.memoryMiB ?? null);
      Object.assign(workload.limits, limits);
    });
  }

  inspect(uuid: string, signal?: AbortSignal): Promise<WorkloadObservation | null> {
    return this.#call('inspect', [uuid], signal, () => {
      const workload = this.#workloads.get(uuid);
      return workload ? this.#observe(workload) : null;
    });
  }

  list(signal?: AbortSignal): Promise<WorkloadObservation[]> {
    return this.#call('list', [], signal, () => [...this.#workloads.values()].map((workload) => this.#observe(workload)));
  }

  async *events(signal: AbortSignal): AsyncGenerator<RuntimeEvent, void> {
    await this.#options.before?.('events', []);
    yield* this.#feed.watch(signal);
  }

  logs(uuid: string, options: LogOptions, signal?: AbortSignal): Promise<Buffer> {
    return this.#call('logs', [uuid, options], signal, () => {
      const workload = this.#require(uuid);
      if (!options.stdout && !options.stderr) throw new RuntimeFault('invalid', 'Bad parameters: you must choose at least one stream');
      return workload.log.read(options);
    });
  }

  exec(uuid: string, command: string[], deadlineMs: number, signal?: AbortSignal): Promise<ExecResult> {
    return this.#call('exec', [uuid, command, deadlineMs], signal, () =>
      runGuest(this.#require(uuid), this.#options.clock, command, deadlineMs),
    );
  }

  top(uuid: string, psArgs: string | null, signal?: AbortSignal): Promise<ProcessTable> {
    return this.#call('top', [uuid, psArgs], signal, () => {
      const workload = this.#requireRunning(uuid);
      return psTable([{ pid: 1, parent: 0, command: workload.argv.join(' ') }], psArgs);
    });
  }

  stats(uuid: string, signal?: AbortSignal): Promise<WorkloadStats> {
    return this.#call('stats', [uuid], signal, () => {
      const limit = this.#requireRunning(uuid).limits.memoryMiB ?? this.#nodeFacts().memoryTotalMiB;
      return {
        cpuPercent: 0,
        memoryUsedBytes: USED_BYTES,
        memoryLimitBytes: limit * MIB,
        blockReadBytes: 0,
        blockWriteBytes: 0,
        networkReceivedBytes: 0,
        networkSentBytes: 0,
      };
    });
  }

  getArchive(uuid: string, path: string, signal?: AbortSignal): Promise<{ tar: Buffer; stat: PathStat }> {
    return this.#call('getArchive', [uuid, path], signal, () => readArchive(this.#require(uuid).files, path));
  }

  putArchive(uuid: string, path: string, tar: Buffer, signal?: AbortSignal): Promise<void> {
    return this.#call('putArchive', [uuid, path, tar], signal, () => writeArchive(this.#require(uuid).files, path, tar));
  }

  commit(uuid: string, repository: string, tag: string, signal?: AbortSignal): Promise<{ imageId: string }> {
    return this.#call('commit', [uuid, repository, tag], signal, () => {
      const workload = this.#require(uuid);
      const { entrypoint, command, environment, workdir, exposedPorts } = workload.spec;
      const imageId = `sha256:${this.#hexId()}`;
      const image = {
        id: imageId,
        files: workload.files.clone(),
        entrypoint: entrypoint ?? workload.image.entrypoint,
        command: command ?? workload.image.command,
        environment: { ...workload.image.environment, ...environment },
        workdir: workdir ?? workload.image.workdir,
        exposedPorts: [...new Set([...workload.image.exposedPorts, ...exposedPorts])],
      };
      this.#options.images.save(image, `${repository}:${tag}`);
      return { imageId };
    });
  }

  connectNetwork(uuid: string, interface_: NetworkInterface, signal?: AbortSignal): Promise<void> {
    return this.#call('connectNetwork', [uuid, interface_], signal, () => {
      this.#require(uuid);
      this.networks.attach(uuid, interface_);
    });
  }

  disconnectNetwork(uuid: string, engineNetwork: string, signal?: AbortSignal): Promise<void> {
    return this.#call('disconnectNetwork', [uuid, engineNetwork], signal, () => {
      this.#require(uuid);
      this.networks.detach(uuid, engineNetwork);
    });
  }

  probeHealth(uuid: string, signal?: AbortSignal): Promise<void> {
    return this.#call('probeHealth', [uuid], signal, async () => {
      const workload = this.#require(uuid);
      const check = workload.spec.healthcheck;
      if (!check || workload.state.status !== 'running') return;
      // Docker's default; a check that outlasts it has failed.
      const deadlineMs = (check.timeoutSeconds || 30) * 1000;
      const result = await runGuest(workload, this.#options.clock, ['sh', '-c', check.command], deadlineMs).catch(() => ({ exitCode: 1 }));
      workload.probed(result.exitCode === 0);
    });
  }

  /** The kernel kills the workload for want of memory. */
  runOutOfMemory(uuid: string): void {
    this.#require(uuid).runOutOfMemory();
  }

  /** Ends every `events` stream with an `unreachable` fault. */
  dropConnections(): void {
    this.#feed.fail(new RuntimeFault('unreachable', 'the connection to the engine was lost'));
  }

  async #call<T>(name: string, args: readonly unknown[], signal: AbortSignal | undefined, work: () => T | Promise<T>): Promise<T> {
    const done = async () => {
      await this.#options.before?.(name, args);
      const answer = await work();
      await this.#options.after?.(name, args);
      return answer;
    };
    return signal ? untilAborted(name, signal, done) : done();
  }

  #create(spec: WorkloadSpec): void {
    if (this.#workloads.has(spec.uuid)) return;
    const { images, clock } = this.#options;
    const image = images.imageOf(spec.image);
    if (!image) throw new RuntimeFault('not-found', `No such image: ${spec.image}`);
    if (spec.runtime !== null && !this.#nodeFacts().runtimes.includes(spec.runtime)) {
      throw new RuntimeFault('invalid', `Unknown runtime specified ${spec.runtime}`);
    }
    requireMemory(spec.memoryMiB);
    for (const network of spec.networks) this.networks.require(network.engineNetwork);
    const workload = new MemoryWorkload({
      spec,
      image,
      clock,
      engineId: this.#hexId(),
      volume: (name) => this.#volume(name),
      tell: (action) => this.#feed.publish({ uuid: spec.uuid, action, at: clock.now() }),
      removeSelf: () => this.#forget(spec.uuid),
    });
    const bridge = { engineNetwork: 'bridge', ipv4: null, ipv6: null, mac: null };
    const networks = spec.networks.length > 0 || spec.sandbox !== undefined ? spec.networks : [bridge];
    for (const network of networks) this.networks.attach(spec.uuid, network);
    images.hold(image.id, spec.uuid);
    this.#workloads.set(spec.uuid, workload);
    this.#feed.publish({ uuid: spec.uuid, action: 'create', at: clock.now() });
  }

  #forget(uuid: string): void {
    if (!this.#workloads.delete(uuid)) return;
    this.networks.detachAll(uuid);
    this.#options.images.release(uuid);
    this.#feed.publish({ uuid, action: 'destroy', at: this.#options.clock.now() });
  }

  #observe(workload: MemoryWorkload): WorkloadObservation {
    const { spec, image } = workload;
    return {
      uuid: spec.uuid,
      engineId: workload.engineId,
      state: { ...workload.state },
      hostname: workload.hostname,
      command: spec.command ?? image.command,
      entrypoint: spec.entrypoint ?? image.entrypoint,
      ports: [...new Set([...image.exposedPorts, ...(spec.sandbox === undefined ? spec.exposedPorts : [])])].map((port) =>
        Number(port.split('/')[0]),
      ),
      addresses: this.networks.addressesOf(spec.uuid),
      image: spec.image,
      runtime: spec.runtime ?? this.#nodeFacts().runtimes[0] ?? null,
    };
  }

  #nodeFacts(): NodeFacts {
    return memoryNode(
      [...this.#workloads.values()].map((workload) => workload.state.status),
      this.#options.node,
    );
  }

  #volume(name: string): MemoryFiles {
    const volume = this.#volumes.get(name) ?? new MemoryFiles(() => this.#options.clock.now());
    this.#volumes.set(name, volume);
    return volume;
  }

  #require(uuid: string): MemoryWorkload {
    const workload = this.#workloads.get(uuid);
    if (!workload) throw new RuntimeFault('not-found', `No such container: zun-${uuid}`);
    return workload;
  }

  /** A workload joins the namespaces of one that runs. */
  #requireSandbox({ sandbox }: WorkloadSpec): void {
    if (sandbox === undefined || this.#workloads.get(sandbox)?.runs) return;
    throw new RuntimeFault('conflict', `cannot join network of a non running container: zun-${sandbox}`);
  }

  #requireRunning(uuid: string): MemoryWorkload {
    const workload = this.#require(uuid);
    if (!workload.runs) throw new RuntimeFault('conflict', `Container ${workload.engineId} is not running`);
    return workload;
  }

  /** 64 hexadecimal digits. */
  #hexId(): string {
    return `${this.#options.ids.uuid()}${this.#options.ids.uuid()}`.replaceAll('-', '');
  }
}

function requireMemory(memoryMiB: number | null): void {
  if (memoryMiB !== null && memoryMiB < LEAST_MEMORY_MIB) throw new RuntimeFault('invalid', 'Minimum memory limit allowed is 6MB');
}
