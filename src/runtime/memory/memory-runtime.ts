import type { Clock } from '../../telemetry/clock.ts';
import type { Ids } from '../../telemetry/ids.ts';
import type { Console, ConsoleTarget } from '../console.ts';
import type {
  CapsuleRuntime,
  ContainerRuntime,
  ExecResult,
  LogOptions,
  NetworkInterface,
  NodeFacts,
  PathStat,
  ProcessTable,
  RuntimeEvent,
  StreamHappening,
  WorkloadObservation,
  WorkloadSpec,
  WorkloadStats,
} from '../container-runtime.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import { signalName } from '../signal-name.ts';
import { untilAborted } from '../until-aborted.ts';
import { EventFeed } from './event-feed.ts';
import { readArchive, writeArchive } from './memory-archive.ts';
import type { MemoryImageStore } from './memory-image-store.ts';
import { MemoryNetworks } from './memory-networks.ts';
import { MemoryWorkloads, requireMemory } from './memory-workloads.ts';
import { psTable } from './ps-table.ts';
import { openGuest, runGuest } from './run-guest.ts';

/** Runs around every call of the port, with the call's name and arguments; may throw or wait. */
export type CallHook = (call: string, args: readonly unknown[]) => void | Promise<void>;

export interface MemoryRuntimeOptions {
  clock: Clock;
  ids: Ids;
  images: MemoryImageStore;
  networks?: MemoryNetworks;
  /** `joined` unless said. `as one` as on a cluster: a capsule is one object, a start brings the image, a log is of the last run alone. */
  capsules?: 'joined' | 'as one';
  /** Before anything happened: an engine that refuses, is slow or is not there. */
  before?: CallHook;
  /** After it happened and before the caller learns of it: a connection lost, a caller that crashed. */
  after?: CallHook;
  node?: Partial<NodeFacts>;
}

const MIB = 1024 * 1024;
/** What every workload is said to use. */
const USED_BYTES = MIB;

/**
 * The shipped runtime without an engine: workloads, files, logs, events and time are in this object, and what they run is
 * interpreted (`programs.ts`). For tests, simulation and benchmarks; passes the same contract test as the real adapters.
 */
export class MemoryRuntime implements ContainerRuntime {
  readonly name = 'memory';
  readonly runsHealthchecks = false;
  readonly spansHosts = false;
  readonly pullsAtStart: boolean;
  readonly capsules?: CapsuleRuntime;
  readonly networks: MemoryNetworks;
  readonly #options: MemoryRuntimeOptions;
  readonly #feed = new EventFeed();
  readonly #held: MemoryWorkloads;
  readonly #consoles = new Set<Console>();

  constructor(options: MemoryRuntimeOptions) {
    this.#options = options;
    this.networks = options.networks ?? new MemoryNetworks();
    this.pullsAtStart = options.capsules === 'as one';
    if (options.capsules === 'as one')
      this.capsules = { create: (spec) => this.#call('capsules.create', [spec], undefined, () => this.#held.createCapsule(spec)) };
    const { networks, pullsAtStart } = this;
    this.#held = new MemoryWorkloads({ ...options, networks, pullsAtStart, feed: this.#feed, node: options.node });
  }

  describeNode(signal?: AbortSignal): Promise<NodeFacts> {
    return this.#call('describeNode', [], signal, () => this.#held.nodeFacts());
  }

  create(spec: WorkloadSpec): Promise<void> {
    return this.#call('create', [spec], undefined, () => this.#held.create(spec));
  }

  start(uuid: string, signal?: AbortSignal): Promise<WorkloadObservation | null> {
    return this.#call('start', [uuid], signal, async () => {
      const whole = this.#held.requireWhole(uuid);
      await this.#held.start(whole);
      return this.pullsAtStart && whole.runs ? this.#held.inspect(uuid) : null;
    });
  }

  stop(uuid: string, graceSeconds: number, signal?: AbortSignal): Promise<void> {
    return this.#call('stop', [uuid, graceSeconds], signal, () => this.#held.requireWhole(uuid).stop(graceSeconds * 1000));
  }

  restart(uuid: string, graceSeconds: number, signal?: AbortSignal): Promise<void> {
    return this.#call('restart', [uuid, graceSeconds], signal, async () => {
      const workload = this.#held.require(uuid);
      this.#held.requireSandbox(workload.spec);
      await workload.stop(graceSeconds * 1000);
      // It may have been removed meanwhile, and would run on with nobody to see it.
      await this.#held.start(this.#held.require(uuid));
    });
  }

  kill(uuid: string, name: string, signal?: AbortSignal): Promise<void> {
    return this.#call('kill', [uuid, name], signal, () => this.#held.require(uuid).kill(signalName(name)));
  }

  pause(uuid: string, signal?: AbortSignal): Promise<void> {
    return this.#call('pause', [uuid], signal, () => this.#held.require(uuid).pause());
  }

  unpause(uuid: string, signal?: AbortSignal): Promise<void> {
    return this.#call('unpause', [uuid], signal, () => this.#held.require(uuid).unpause());
  }

  remove(uuid: string, signal?: AbortSignal): Promise<void> {
    return this.#call('remove', [uuid], signal, async () => {
      const whole = this.#held.findWhole(uuid);
      // A restart that waited for the same end may have started it again.
      while (whole?.runs) await whole.stop(0);
      this.#held.forget(uuid);
    });
  }

  update(uuid: string, limits: { cpu?: number; memoryMiB?: number }, signal?: AbortSignal): Promise<void> {
    return this.#call('update', [uuid, limits], signal, () => {
      const workload = this.#held.require(uuid);
      requireMemory(limits.memoryMiB ?? null);
      Object.assign(workload.limits, limits);
    });
  }

  inspect(uuid: string, signal?: AbortSignal): Promise<WorkloadObservation | null> {
    return this.#call('inspect', [uuid], signal, () => this.#held.inspect(uuid));
  }

  list(signal?: AbortSignal): Promise<WorkloadObservation[]> {
    return this.#call('list', [], signal, () => this.#held.list());
  }

  async *events(signal: AbortSignal, told?: (happening: StreamHappening) => void): AsyncGenerator<RuntimeEvent, void> {
    await this.#options.before?.('events', []);
    yield* this.#feed.watch(signal, told);
  }

  logs(uuid: string, options: LogOptions, signal?: AbortSignal): Promise<Buffer> {
    return this.#call('logs', [uuid, options], signal, () => {
      const workload = this.#held.require(uuid);
      if (!options.stdout && !options.stderr) throw new RuntimeFault('invalid', 'Bad parameters: you must choose at least one stream');
      return workload.log.read(options);
    });
  }

  exec(uuid: string, command: string[], deadlineMs: number, signal?: AbortSignal): Promise<ExecResult> {
    return this.#call('exec', [uuid, command, deadlineMs], signal, () =>
      runGuest(this.#held.require(uuid), this.#options.clock, command, deadlineMs),
    );
  }

  async openConsole(uuid: string, target: ConsoleTarget, signal?: AbortSignal): Promise<Console> {
    const opened: Console[] = [];
    const open = (): Console => {
      // Nobody would close it.
      if (signal?.aborted) throw new RuntimeFault('timeout', 'openConsole: the caller no longer waits');
      const workload = this.#held.require(uuid);
      const console = target.kind === 'attach' ? workload.attach() : openGuest(workload, target.command, target.interactive);
      opened.push(console);
      return this.#connected(console);
    };
    try {
      return await this.#call('openConsole', [uuid, target], signal, open);
    } catch (error) {
      for (const console of opened) console.close();
      throw error;
    }
  }

  top(uuid: string, psArgs: string | null, signal?: AbortSignal): Promise<ProcessTable> {
    return this.#call('top', [uuid, psArgs], signal, () => {
      const workload = this.#held.requireRunning(uuid);
      return psTable([{ pid: 1, parent: 0, command: workload.argv.join(' ') }], psArgs);
    });
  }

  stats(uuid: string, signal?: AbortSignal): Promise<WorkloadStats> {
    return this.#call('stats', [uuid], signal, () => {
      const limit = this.#held.requireRunning(uuid).limits.memoryMiB ?? this.#held.nodeFacts().memoryTotalMiB;
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
    return this.#call('getArchive', [uuid, path], signal, () => readArchive(this.#held.requireFiles(uuid), path));
  }

  putArchive(uuid: string, path: string, tar: Buffer, signal?: AbortSignal): Promise<void> {
    return this.#call('putArchive', [uuid, path, tar], signal, () => writeArchive(this.#held.requireFiles(uuid), path, tar));
  }

  commit(uuid: string, repository: string, tag: string, signal?: AbortSignal): Promise<{ imageId: string }> {
    return this.#call('commit', [uuid, repository, tag], signal, () => {
      const workload = this.#held.require(uuid);
      const { entrypoint, command, environment, workdir, exposedPorts } = workload.spec;
      const imageId = `sha256:${this.#held.hexId()}`;
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
      this.#held.require(uuid);
      this.networks.attach(uuid, interface_);
    });
  }

  disconnectNetwork(uuid: string, engineNetwork: string, signal?: AbortSignal): Promise<void> {
    return this.#call('disconnectNetwork', [uuid, engineNetwork], signal, () => {
      this.#held.require(uuid);
      this.networks.detach(uuid, engineNetwork);
    });
  }

  probeHealth(uuid: string, signal?: AbortSignal): Promise<void> {
    return this.#call('probeHealth', [uuid], signal, async () => {
      const workload = this.#held.require(uuid);
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
    this.#held.require(uuid).runOutOfMemory();
  }

  /** Ends every `events` stream and the output of every console with an `unreachable` fault. */
  dropConnections(): void {
    const lost = new RuntimeFault('unreachable', 'the connection to the engine was lost');
    this.#feed.fail(lost);
    for (const { output } of this.#consoles) output.destroy(lost);
  }

  #connected(console: Console): Console {
    this.#consoles.add(console);
    console.output.once('close', () => this.#consoles.delete(console));
    return console;
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
}
