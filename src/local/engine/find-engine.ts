import { join } from 'node:path';
import type { EngineTarget } from '../../runtime/docker/engine-target.ts';
import type { Clock } from '../../telemetry/clock.ts';
import { probeEngine } from './engine-probe.ts';
import { findProgram } from './find-program.ts';
import { canInstallPodman, installHint, installPodman } from './install-podman.ts';
import { podmanPaths } from './podman-paths.ts';
import { PodmanService } from './podman-service.ts';
import { preparePodman } from './prepare-podman.ts';

export interface FindEngineOptions {
  /** Absolute path; a private Podman lives in `engine/` below it. */
  dataFolder: string;
  /** DOCKER_HOST, or `engine.address` of the configuration: `unix:///path` or `tcp://host:port`; `null` or '' = look for one. */
  dockerHost: string | null;
  /** XDG_RUNTIME_DIR, where a user's own engine listens. */
  runtimeFolder: string | null;
  /** `private`: leave the machine's own engines alone. `running`: start none, since several programs could not share it. */
  search: 'any' | 'private' | 'running';
  /** Where a machine's engines listen, unless a test knows better. */
  sockets?: readonly string[];
  /** The process's environment, which a private engine and apt inherit. */
  environment: Record<string, string | undefined>;
  clock: Clock;
  /** One line at a time, for the operator (stderr). */
  progress: (line: string) => void;
}

export interface FoundEngine {
  target: EngineTarget;
  /** How to name it to a person: `Docker at unix:///var/run/docker.sock`. */
  description: string;
  /** True when this process supervises it. */
  ownsService: boolean;
  /** Ends a supervised service; containers keep running and are found again at the next start. */
  close(): Promise<void>;
}

/**
 * Finds a container engine, or starts one: DOCKER_HOST, the usual sockets, a private Podman, a private Podman that is installed
 * first (root on Debian). Throws an `Error` with a sentence for the user, of two lines when something is to be installed.
 */
export async function findEngine(options: FindEngineOptions): Promise<FoundEngine> {
  if (options.dockerHost) return named(options.dockerHost);
  if (options.search !== 'private') {
    for (const socket of options.sockets ?? usualSockets(options.runtimeFolder)) {
      const target = await probeEngine(socket).catch(() => null);
      if (target !== null) return found(target, `unix://${socket}`);
    }
  }
  if (options.search === 'running') throw new Error(nothingRuns);
  return startPrivate(options);
}

const nothingRuns =
  'There is no container engine: neither a Docker nor a Podman socket answers.\n' +
  'Start one, or set engine.address or DOCKER_HOST; only standalone starts a Podman of its own.';

async function named(address: string): Promise<FoundEngine> {
  try {
    return found(await probeEngine(address), address);
  } catch (error) {
    throw new Error(`engine.address or DOCKER_HOST is ${address}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function found(target: EngineTarget, address: string): FoundEngine {
  const product = target.kind === 'podman' ? 'Podman' : 'Docker';
  return { target, description: `${product} at ${address}`, ownsService: false, close: async () => {} };
}

function usualSockets(runtimeFolder: string | null): string[] {
  const own = runtimeFolder ? [join(runtimeFolder, 'docker.sock'), join(runtimeFolder, 'podman', 'podman.sock')] : [];
  return ['/var/run/docker.sock', '/run/podman/podman.sock', ...own];
}

async function startPrivate(options: FindEngineOptions): Promise<FoundEngine> {
  const { environment, clock, progress } = options;
  let program = await findProgram('podman', environment.PATH);
  if (program === null) {
    if (!(await canInstallPodman())) throw new Error(installHint);
    await installPodman(environment, progress);
    program = await findProgram('podman', environment.PATH);
    if (program === null) throw new Error(installHint);
  }
  const paths = podmanPaths(join(options.dataFolder, 'engine'));
  await preparePodman(paths, environment.PATH);
  const service = new PodmanService({ program, paths, environment, clock, progress });
  const target = await service.start();
  return { target, description: `Podman of its own at unix://${paths.socket}`, ownsService: true, close: () => service.stop() };
}
