import type { Clock } from '../../telemetry/clock.ts';
import type { WorkloadSpec, WorkloadState } from '../container-runtime.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import { MemoryFiles } from './memory-files.ts';
import type { MemoryImage } from './memory-image.ts';
import { MemoryLog } from './memory-log.ts';
import { MemoryProcess, type ProcessSetup } from './memory-process.ts';

export interface WorkloadSetup {
  spec: WorkloadSpec;
  image: MemoryImage;
  engineId: string;
  clock: Clock;
  /** Engine volumes by name, made when first mounted. */
  volume(name: string): MemoryFiles;
  /** Tells what happened, under Docker's names. */
  tell(action: string): void;
  /** Called when an auto-remove workload has ended. */
  removeSelf(): void;
}

/** Docker waits 100 ms before the first restart and doubles it up to a minute. */
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 60_000;

/** One workload of the memory runtime: its state over time, its files, its log and its processes. */
export class MemoryWorkload {
  readonly spec: WorkloadSpec;
  readonly image: MemoryImage;
  readonly engineId: string;
  readonly hostname: string;
  readonly files: MemoryFiles;
  readonly log: MemoryLog;
  readonly limits: { cpu: number | null; memoryMiB: number | null };
  state: WorkloadState = {
    status: 'created',
    exitCode: 0,
    error: '',
    oomKilled: false,
    startedAt: null,
    finishedAt: null,
    health: null,
  };

  readonly #setup: WorkloadSetup;
  #process: MemoryProcess | null = null;
  readonly #guests = new Set<MemoryProcess>();
  /** Resolved when it has ended and is not to run again by itself. */
  #settled = Promise.withResolvers<void>();
  #backoff = new AbortController();
  #restarts = 0;
  #stopAsked = false;
  #failedProbes = 0;

  constructor(setup: WorkloadSetup) {
    this.#setup = setup;
    this.spec = setup.spec;
    this.image = setup.image;
    this.engineId = setup.engineId;
    this.hostname = setup.spec.hostname ?? setup.engineId.slice(0, 12);
    this.limits = { cpu: setup.spec.cpu, memoryMiB: setup.spec.memoryMiB };
    this.log = new MemoryLog(() => setup.clock.now());
    this.files = setup.image.files.clone();
    this.files.write('/etc/hostname', Buffer.from(`${this.hostname}\n`));
    this.files.makeDirectory(this.#workdir());
    for (const mount of setup.spec.mounts) this.files.mount(mount.destination, this.#mounted(mount));
  }

  /** Entrypoint and command as the process gets them. An entrypoint of the user's drops the image's command. */
  get argv(): string[] {
    const { entrypoint, command } = this.spec;
    return [...(entrypoint ?? this.image.entrypoint), ...(command ?? (entrypoint ? [] : this.image.command))];
  }

  get runs(): boolean {
    return this.state.status === 'running' || this.state.status === 'paused' || this.state.status === 'restarting';
  }

  start(): void {
    if (this.state.status === 'paused') throw new RuntimeFault('conflict', 'cannot start a paused container, try unpause instead');
    if (this.runs) return;
    this.#stopAsked = false;
    this.#restarts = 0;
    this.#backoff = new AbortController();
    this.#settled = Promise.withResolvers<void>();
    this.#begin();
  }

  /** Resolves when it has ended for good. */
  async stop(graceMs: number): Promise<void> {
    if (!this.runs) return;
    this.#stopAsked = true;
    this.#backoff.abort();
    this.unpauseIfPaused();
    this.#process?.signal('TERM');
    const over = new AbortController();
    const settled = this.#settled.promise.finally(() => over.abort());
    await this.#setup.clock.sleep(graceMs, over.signal);
    this.#process?.signal('KILL');
    await settled;
  }

  kill(signal: string): void {
    this.#requireRunning();
    // Docker does not restart what a user killed, whatever the policy says.
    if (signal === 'KILL' || signal === 'TERM') this.#stopAsked = true;
    this.#process?.signal(signal);
  }

  pause(): void {
    this.#requireRunning();
    if (this.state.status === 'paused') throw new RuntimeFault('conflict', `Container ${this.engineId} is already paused`);
    this.#process?.pause();
    this.#become({ status: 'paused' }, 'pause');
  }

  unpause(): void {
    if (this.state.status !== 'paused') throw new RuntimeFault('conflict', `Container ${this.engineId} is not paused`);
    this.unpauseIfPaused();
  }

  unpauseIfPaused(): void {
    if (this.state.status !== 'paused') return;
    this.#process?.resume();
    this.#become({ status: 'running' }, 'unpause');
  }

  runOutOfMemory(): void {
    this.#requireRunning();
    this.#become({ oomKilled: true }, 'oom');
    this.#process?.signal('KILL');
  }

  /** A process beside the main one, which ends with it. */
  guest(write: ProcessSetup['write']): MemoryProcess {
    this.#requireRunning();
    if (this.state.status === 'paused')
      throw new RuntimeFault('conflict', `Container ${this.engineId} is paused, unpause the container before exec`);
    const guest = new MemoryProcess(this.#processSetup(write, false));
    this.#guests.add(guest);
    return guest;
  }

  guestEnded(guest: MemoryProcess): void {
    this.#guests.delete(guest);
  }

  /** Counts as Docker does: one success is healthy at once, `retries` failures in a row are unhealthy. */
  probed(passed: boolean): void {
    this.#failedProbes = passed ? 0 : this.#failedProbes + 1;
    const before = this.state.health;
    const health = passed ? 'healthy' : this.#failedProbes >= (this.spec.healthcheck?.retries || 3) ? 'unhealthy' : before;
    if (health !== before && this.runs) this.#become({ health }, 'health_status');
  }

  #begin(): void {
    const [program = ''] = this.argv;
    if (!MemoryProcess.has(program)) {
      const error = `exec: "${program}": executable file not found in $PATH: unknown`;
      this.state = { ...this.state, exitCode: 127, error };
      throw new RuntimeFault('invalid', error);
    }
    const health = this.spec.healthcheck ? 'starting' : null;
    this.#failedProbes = 0;
    const process = new MemoryProcess(this.#processSetup((stream, bytes) => this.log.write(stream, bytes), this.spec.tty));
    this.#process = process;
    this.#become(
      { status: 'running', exitCode: 0, error: '', oomKilled: false, startedAt: this.#setup.clock.now(), finishedAt: null, health },
      'start',
    );
    void process.run(this.argv).then((code) => this.#end(code));
  }

  #end(exitCode: number): void {
    this.log.flush();
    this.#process = null;
    for (const guest of this.#guests) guest.signal('KILL');
    const again = this.#restartsAfter(exitCode);
    this.#become({ status: again ? 'restarting' : 'exited', exitCode, finishedAt: this.#setup.clock.now() }, 'die');
    if (again) void this.#restartLater();
    else this.#settle();
  }

  async #restartLater(): Promise<void> {
    const wait = Math.min(FIRST_BACKOFF_MS * 2 ** this.#restarts++, LONGEST_BACKOFF_MS);
    await this.#setup.clock.sleep(wait, this.#backoff.signal);
    if (!this.#stopAsked) return this.#begin();
    this.state = { ...this.state, status: 'exited' };
    this.#settle();
  }

  #settle(): void {
    this.#settled.resolve();
    if (this.spec.autoRemove) this.#setup.removeSelf();
  }

  #restartsAfter(exitCode: number): boolean {
    if (this.#stopAsked) return false;
    const { name, maximumRetryCount } = this.spec.restartPolicy;
    if (name === 'on-failure') return exitCode !== 0 && (maximumRetryCount === 0 || this.#restarts < maximumRetryCount);
    return name !== 'no';
  }

  #become(change: Partial<WorkloadState>, action: string): void {
    this.state = { ...this.state, ...change };
    this.#setup.tell(action);
  }

  #requireRunning(): void {
    if (!this.#process) throw new RuntimeFault('conflict', `Container ${this.engineId} is not running`);
  }

  #workdir(): string {
    return this.spec.workdir ?? this.image.workdir;
  }

  #processSetup(write: ProcessSetup['write'], tty: boolean): ProcessSetup {
    return {
      clock: this.#setup.clock,
      files: this.files,
      environment: { PATH: '/bin', HOSTNAME: this.hostname, ...this.image.environment, ...this.spec.environment },
      workdir: this.#workdir(),
      tty,
      interactive: this.spec.interactive,
      write,
    };
  }

  #mounted(mount: WorkloadSpec['mounts'][number]): MemoryFiles {
    if (mount.kind === 'volume') return this.#setup.volume(mount.source);
    const tree = new MemoryFiles(() => this.#setup.clock.now());
    tree.write('/', mount.content);
    return tree;
  }
}
