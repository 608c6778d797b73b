import { join } from 'node:path';
import type { Environment } from '../config/environment.ts';
import type { Settings } from '../config/settings.ts';
import type { Database } from '../db/database.ts';
import { findEngine } from '../local/engine/find-engine.ts';
import { lateEngine } from '../local/engine/late-engine.ts';
import { DockerEngineNetworks } from '../local/networking/docker-engine-networks.ts';
import { LocalNetworking } from '../local/networking/local-networking.ts';
import { MemoryEngineNetworks } from '../local/networking/memory-engine-networks.ts';
import { DockerEngineVolumes } from '../local/volumes/docker-engine-volumes.ts';
import { LocalVolumes } from '../local/volumes/local-volumes.ts';
import { MemoryEngineVolumes } from '../local/volumes/memory-engine-volumes.ts';
import type { Networking } from '../networking/networking.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { DockerImageStore } from '../runtime/docker/docker-image-store.ts';
import { DockerRuntime } from '../runtime/docker/docker-runtime.ts';
import { EngineClient, type EngineObserver } from '../runtime/docker/engine-client.ts';
import type { ImageStore } from '../runtime/image-store.ts';
import { memoryImage } from '../runtime/memory/memory-image.ts';
import { MemoryImageStore } from '../runtime/memory/memory-image-store.ts';
import { MemoryNetworks } from '../runtime/memory/memory-networks.ts';
import { MemoryRuntime } from '../runtime/memory/memory-runtime.ts';
import type { Clock } from '../telemetry/clock.ts';
import type { Ids } from '../telemetry/ids.ts';
import type { Volumes } from '../volumes/volumes.ts';

/** The adapters of `standalone` that need an engine. */
export interface LocalAdapters {
  runtime: ContainerRuntime;
  images: ImageStore;
  networking: Networking;
  volumes: Volumes;
  /** `Podman at unix:///…`, for people. */
  description: string;
  /** Throws with the reason when the engine does not answer. */
  checkEngine(signal: AbortSignal): Promise<unknown>;
  close(): Promise<void>;
}

export interface LocalAdapterOptions {
  environment: Pick<Environment, 'runtimeFolder' | 'all'>;
  engine: Settings['engine'];
  /** Whether an engine may be started for this program, which then has it to itself. */
  mayStartEngine: boolean;
  /** Absolute. */
  dataFolder: string;
  database: Database;
  clock: Clock;
  ids: Ids;
  engineObserver?: EngineObserver;
  /** Lines for the operator while something takes time. */
  progress(line: string): void;
}

/** The machine's engine, or a private one, or none at all (`memory`). Throws an `Error` in words for the operator. */
export async function localAdapters(options: LocalAdapterOptions): Promise<LocalAdapters> {
  return options.engine.search === 'memory' ? memoryAdapters(options) : engineAdapters(options);
}

async function engineAdapters(options: LocalAdapterOptions): Promise<LocalAdapters> {
  const { dataFolder, database, clock, ids } = options;
  const engine = await chosenEngine(options);
  const client = new EngineClient(engine.target, options.engineObserver);
  return {
    runtime: new DockerRuntime({ engine: client, dataFolder: join(dataFolder, 'runtime'), clock }),
    images: new DockerImageStore(client),
    networking: new LocalNetworking({ engine: new DockerEngineNetworks(client), database, ids }),
    volumes: new LocalVolumes({ engine: new DockerEngineVolumes(client), database }),
    description: engine.description,
    checkEngine: (signal) => client.request({ method: 'GET', path: '/version', signal }),
    async close() {
      await client.close();
      await engine.close();
    },
  };
}

/** An engine that is not this program's to start may come later than the program. */
async function chosenEngine({ environment, engine, mayStartEngine, dataFolder, clock, progress }: LocalAdapterOptions) {
  const options = {
    dataFolder,
    dockerHost: engine.address,
    runtimeFolder: environment.runtimeFolder,
    environment: environment.all,
    clock,
    progress,
  };
  if (mayStartEngine) return findEngine({ ...options, search: engine.search === 'private' ? 'private' : 'any' });
  const { find, description } = await lateEngine(options);
  return { target: find, description, close: async () => {} };
}

/** Room for as many containers as a load test makes. */
const memoryNode = { cpus: 100_000, memoryTotalMiB: 1_000_000_000, diskTotalGiB: 1_000_000 };

function memoryAdapters({ clock, ids, database }: LocalAdapterOptions): LocalAdapters {
  const images = new MemoryImageStore({ registry: { 'busybox:latest': { image: memoryImage('busybox:latest') } } });
  const networks = new MemoryNetworks();
  const runtime = new MemoryRuntime({ clock, ids, images, networks, node: memoryNode });
  return {
    runtime,
    images,
    networking: new LocalNetworking({ engine: new MemoryEngineNetworks(networks), database, ids }),
    volumes: new LocalVolumes({ engine: new MemoryEngineVolumes(), database }),
    description: 'simulated in memory, nothing real runs',
    checkEngine: async () => {},
    // Their timers would keep the process alive; nothing of them outlives it.
    async close() {
      for (const { uuid } of await runtime.list()) await runtime.remove(uuid);
    },
  };
}
