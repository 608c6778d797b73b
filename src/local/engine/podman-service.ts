import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { EngineTarget } from '../../runtime/docker/engine-target.ts';
import type { Clock } from '../../telemetry/clock.ts';
import { probeEngine } from './engine-probe.ts';
import type { PodmanPaths } from './podman-paths.ts';

export interface PodmanServiceOptions {
  /** Absolute path of the podman program. */
  program: string;
  paths: PodmanPaths;
  /** What the engine inherits: PATH, proxies. */
  environment: Record<string, string | undefined>;
  clock: Clock;
  /** One line at a time, for the operator. */
  progress: (line: string) => void;
}

const startDeadlineMs = 20_000;
const stopDeadlineMs = 4_000;
const firstBackOffMs = 200;
const longestBackOffMs = 10_000;
/** A service that lived so long had started well; its next failure begins with the shortest back-off again. */
const settledMs = 30_000;

/** `podman system service` on a private root, kept alive until `stop`. Containers belong to their conmon and outlive it. */
export class PodmanService {
  readonly #options: PodmanServiceOptions;
  readonly #stopping = new AbortController();
  #child: ChildProcess | null = null;
  #supervision: Promise<void> = Promise.resolve();

  constructor(options: PodmanServiceOptions) {
    this.#options = options;
  }

  /** Resolves when the service answers. Throws an `Error` with Podman's own words when it does not come up. */
  async start(): Promise<EngineTarget> {
    await this.#endPredecessor();
    const ended = await this.#spawn();
    const target = await this.#untilAnswering(ended);
    this.#supervision = this.#supervise(ended);
    return target;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#child?.kill('SIGTERM');
    const ended = new AbortController();
    const supervised = this.#supervision.then(() => ended.abort());
    await Promise.race([supervised, this.#options.clock.sleep(stopDeadlineMs, ended.signal)]);
    // Podman waits for requests that are under way, which may never end.
    if (!ended.signal.aborted) this.#child?.kill('SIGKILL');
    await supervised;
    await rm(this.#options.paths.pidFile, { force: true });
    await rm(this.#options.paths.socket, { force: true });
    // Podman leaves its store mounted on itself, so that the folder could not be deleted. Busy (containers run) or not there: fine.
    await promisify(execFile)('umount', [join(this.#options.paths.graphRoot, 'overlay')]).catch(() => {});
  }

  /** Starts the process; the inner promise resolves when it has ended. */
  async #spawn(): Promise<{ exit: Promise<void> }> {
    const { program, paths, environment } = this.#options;
    await mkdir(dirname(paths.socket), { recursive: true });
    await rm(paths.socket, { force: true });
    const log = await open(paths.log, 'w');
    try {
      const child = spawn(program, ['--log-level', 'warn', 'system', 'service', '--time', '0', `unix://${paths.socket}`], {
        // A group of its own: Ctrl-C in a terminal is for us; we end the service when we have finished with it.
        detached: true,
        // conmon leaves a file `oom` where it was started when a container runs out of memory.
        cwd: dirname(paths.socket),
        stdio: ['ignore', log.fd, log.fd],
        env: {
          ...environment,
          HOME: paths.home,
          CONTAINERS_CONF: paths.containersConf,
          CONTAINERS_STORAGE_CONF: paths.storageConf,
          CONTAINERS_REGISTRIES_CONF: paths.registriesConf,
          REGISTRY_AUTH_FILE: `${paths.home}/auth.json`,
        },
      });
      this.#child = child;
      const exit = new Promise<void>((resolve) => {
        child.once('exit', () => resolve());
        child.once('error', () => resolve());
      });
      if (child.pid !== undefined) await writeFile(paths.pidFile, String(child.pid));
      return { exit };
    } finally {
      await log.close();
    }
  }

  async #untilAnswering(ended: { exit: Promise<void> }): Promise<EngineTarget> {
    const { clock, paths } = this.#options;
    let hasEnded = false;
    void ended.exit.then(() => {
      hasEnded = true;
    });
    const deadline = clock.now() + startDeadlineMs;
    while (!hasEnded && clock.now() < deadline) {
      const target = await probeEngine(paths.socket).catch(() => null);
      if (target !== null) return target;
      await clock.sleep(20);
    }
    this.#child?.kill('SIGKILL');
    const words = (await readFile(paths.log, 'utf8').catch(() => '')).trim().split('\n').slice(-3).join(' / ');
    throw new Error(`Podman did not start: ${words || 'it said nothing'} (its log is ${paths.log}).`);
  }

  async #supervise(first: { exit: Promise<void> }): Promise<void> {
    const { clock, progress } = this.#options;
    let running = first;
    let backOffMs = firstBackOffMs;
    let since = clock.now();
    for (;;) {
      await running.exit;
      if (this.#stopping.signal.aborted) return;
      if (clock.now() - since > settledMs) backOffMs = firstBackOffMs;
      progress(`the container engine ended; it is started again in ${backOffMs} ms`);
      await clock.sleep(backOffMs, this.#stopping.signal);
      if (this.#stopping.signal.aborted) return;
      backOffMs = Math.min(backOffMs * 2, longestBackOffMs);
      since = clock.now();
      running = await this.#spawn().catch((error) => {
        progress(`the container engine cannot be started: ${error instanceof Error ? error.message : String(error)}`);
        return { exit: Promise.resolve() };
      });
      if (this.#stopping.signal.aborted) this.#child?.kill('SIGTERM');
    }
  }

  /** A service left by a program that was killed: it has the old configuration and nobody who looks after it. */
  async #endPredecessor(): Promise<void> {
    const { paths, clock } = this.#options;
    const pid = Number(await readFile(paths.pidFile, 'utf8').catch(() => ''));
    if (!Number.isInteger(pid) || pid <= 1) return;
    const isOurs = async () => (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes(`unix://${paths.socket}`);
    const deadline = clock.now() + 5_000;
    for (let signal: NodeJS.Signals = 'SIGTERM'; await isOurs(); await clock.sleep(20)) {
      if (clock.now() > deadline) signal = 'SIGKILL';
      try {
        process.kill(pid, signal);
      } catch {
        // It ended meanwhile.
      }
    }
  }
}
