import { join } from 'node:path';
import type { Clock } from '../../telemetry/clock.ts';
import type { Console, ConsoleTarget } from '../console.ts';
import type {
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
import { inParallel } from '../in-parallel.ts';
import { isFault, RuntimeFault } from '../runtime-fault.ts';
import { ContentFiles } from './content-files.ts';
import type { EngineClient } from './engine-client.ts';
import { type EngineInfo, nodeFacts } from './node-facts.ts';
import { type InspectedContainer, observation } from './observation.ts';
import { WorkloadConsoles } from './workload-consoles.ts';
import { workloadEvents } from './workload-events.ts';
import { WorkloadFiles } from './workload-files.ts';
import { WorkloadInsight } from './workload-insight.ts';
import { WorkloadLifecycle } from './workload-lifecycle.ts';
import { WorkloadLimits } from './workload-limits.ts';
import { containerLabel, workloadName } from './workload-name.ts';
import { WorkloadNetworks } from './workload-networks.ts';
import { WorkloadOutput } from './workload-output.ts';

export interface DockerRuntimeOptions {
  engine: EngineClient;
  /** Absolute path of a folder that only this runtime writes: files of `content` mounts, limits that the engine forgets. */
  dataFolder: string;
  clock: Clock;
}

/** Inspections that run at a time while listing. */
const listConcurrency = 8;

/** `ContainerRuntime` on the Docker Engine API: Docker from 20.10 (API 1.41), Podman from 4.3. */
export class DockerRuntime implements ContainerRuntime {
  readonly spansHosts = false;
  readonly pullsAtStart = false;
  readonly #engine: EngineClient;
  readonly #networks: WorkloadNetworks;
  readonly #limits: WorkloadLimits;
  readonly #lifecycle: WorkloadLifecycle;
  readonly #output: WorkloadOutput;
  readonly #consoles: WorkloadConsoles;
  readonly #insight: WorkloadInsight;
  readonly #files: WorkloadFiles;
  #defaultRuntime: string | null = null;

  constructor(options: DockerRuntimeOptions) {
    const { engine } = options;
    this.#engine = engine;
    this.#networks = new WorkloadNetworks(engine);
    this.#limits = new WorkloadLimits(engine, join(options.dataFolder, 'limits'));
    this.#lifecycle = new WorkloadLifecycle(engine, new ContentFiles(join(options.dataFolder, 'contents')), this.#networks, this.#limits);
    this.#output = new WorkloadOutput(engine, options.clock);
    this.#consoles = new WorkloadConsoles(engine, options.clock);
    this.#insight = new WorkloadInsight(engine, this.#limits);
    this.#files = new WorkloadFiles(engine);
  }

  /** `docker` until the engine was found. */
  get name(): string {
    return this.#engine.knownKind ?? 'docker';
  }

  /** Of an engine that was not found yet there is nothing to probe. */
  get runsHealthchecks(): boolean {
    return this.#engine.knownKind !== 'podman';
  }

  async describeNode(signal?: AbortSignal): Promise<NodeFacts> {
    return nodeFacts(await this.#info(signal), await this.#engine.kind());
  }

  async create(spec: WorkloadSpec): Promise<void> {
    // Podman's Docker API takes any runtime and runs its default one.
    if (spec.runtime !== null && (await this.#engine.kind()) === 'podman' && spec.runtime !== (await this.#engineDefault())) {
      throw new RuntimeFault('invalid', `Unknown runtime specified ${spec.runtime}`);
    }
    await this.#lifecycle.create(spec);
  }

  async start(uuid: string, signal?: AbortSignal): Promise<null> {
    await this.#lifecycle.start(uuid, signal);
    return null;
  }

  stop(uuid: string, graceSeconds: number, signal?: AbortSignal): Promise<void> {
    return this.#lifecycle.stop(uuid, graceSeconds, signal);
  }

  restart(uuid: string, graceSeconds: number, signal?: AbortSignal): Promise<void> {
    return this.#lifecycle.restart(uuid, graceSeconds, signal);
  }

  kill(uuid: string, signalName: string, signal?: AbortSignal): Promise<void> {
    return this.#lifecycle.kill(uuid, signalName, signal);
  }

  pause(uuid: string, signal?: AbortSignal): Promise<void> {
    return this.#lifecycle.pause(uuid, signal);
  }

  unpause(uuid: string, signal?: AbortSignal): Promise<void> {
    return this.#lifecycle.unpause(uuid, signal);
  }

  remove(uuid: string, signal?: AbortSignal): Promise<void> {
    return this.#lifecycle.remove(uuid, signal);
  }

  update(uuid: string, limits: { cpu?: number; memoryMiB?: number }, signal?: AbortSignal): Promise<void> {
    return this.#limits.update(uuid, limits, signal);
  }

  async inspect(uuid: string, signal?: AbortSignal): Promise<WorkloadObservation | null> {
    return this.#observe(workloadName(uuid), signal);
  }

  async list(signal?: AbortSignal): Promise<WorkloadObservation[]> {
    const filters = JSON.stringify({ label: [containerLabel] });
    const listed = await this.#engine.json<{ Id: string }[]>({
      method: 'GET',
      path: '/containers/json',
      query: { all: true, filters },
      signal,
    });
    const seen = await inParallel(listed, listConcurrency, ({ Id }) => this.#observe(Id, signal));
    return seen.filter((one) => one !== null);
  }

  events(signal: AbortSignal, told?: (happening: StreamHappening) => void): AsyncIterable<RuntimeEvent> {
    return workloadEvents(this.#engine, signal, told);
  }

  logs(uuid: string, options: LogOptions, signal?: AbortSignal): Promise<Buffer> {
    return this.#output.logs(uuid, options, signal);
  }

  exec(uuid: string, command: string[], deadlineMs: number, signal?: AbortSignal): Promise<ExecResult> {
    return this.#output.exec(uuid, command, deadlineMs, signal);
  }

  openConsole(uuid: string, target: ConsoleTarget, signal?: AbortSignal): Promise<Console> {
    return this.#consoles.open(uuid, target, signal);
  }

  top(uuid: string, psArgs: string | null, signal?: AbortSignal): Promise<ProcessTable> {
    return this.#insight.top(uuid, psArgs, signal);
  }

  stats(uuid: string, signal?: AbortSignal): Promise<WorkloadStats> {
    return this.#insight.stats(uuid, signal);
  }

  getArchive(uuid: string, path: string, signal?: AbortSignal): Promise<{ tar: Buffer; stat: PathStat }> {
    return this.#files.get(uuid, path, signal);
  }

  putArchive(uuid: string, path: string, tar: Buffer, signal?: AbortSignal): Promise<void> {
    return this.#files.put(uuid, path, tar, signal);
  }

  commit(uuid: string, repository: string, tag: string, signal?: AbortSignal): Promise<{ imageId: string }> {
    return this.#files.commit(uuid, repository, tag, signal);
  }

  connectNetwork(uuid: string, interface_: NetworkInterface, signal?: AbortSignal): Promise<void> {
    return this.#networks.connect(uuid, interface_, signal);
  }

  disconnectNetwork(uuid: string, engineNetwork: string, signal?: AbortSignal): Promise<void> {
    return this.#networks.disconnect(uuid, engineNetwork, signal);
  }

  /** Docker runs checks by itself; Podman leaves them to systemd timers, which a machine without systemd lacks. */
  async probeHealth(uuid: string, signal?: AbortSignal): Promise<void> {
    if ((await this.#engine.kind()) !== 'podman') return;
    const path = `/containers/${workloadName(uuid)}`;
    const { Config, State } = await this.#engine.json<InspectedContainer>({ method: 'GET', path: `${path}/json`, signal });
    const test = Config?.Healthcheck?.Test ?? [];
    if (test.length === 0 || test[0] === 'NONE' || State?.Status !== 'running') return;
    try {
      await this.#engine.request({ api: 'libpod', method: 'GET', path: `${path}/healthcheck`, signal });
    } catch (error) {
      // It ended meanwhile.
      if (!isFault(error, 'conflict')) throw error;
    }
  }

  async #observe(nameOrId: string, signal?: AbortSignal): Promise<WorkloadObservation | null> {
    try {
      const seen = observation(
        await this.#engine.json<InspectedContainer>({ method: 'GET', path: `/containers/${nameOrId}/json`, signal }),
      );
      if (seen === null || seen.runtime !== null) return seen;
      return { ...seen, runtime: await this.#engineDefault(signal) };
    } catch (error) {
      if (isFault(error, 'not-found')) return null;
      throw error;
    }
  }

  #info(signal?: AbortSignal): Promise<EngineInfo> {
    return this.#engine.json<EngineInfo>({ method: 'GET', path: '/info', signal });
  }

  /** The engine's default runtime; it changes only with the engine's configuration, so it is asked once. */
  async #engineDefault(signal?: AbortSignal): Promise<string> {
    this.#defaultRuntime ??= (await this.#info(signal)).DefaultRuntime ?? 'runc';
    return this.#defaultRuntime;
  }
}
