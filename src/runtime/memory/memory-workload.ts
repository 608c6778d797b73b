import type { Clock } from '../../telemetry/clock.ts';
import type { Console } from '../console.ts';
import type { WorkloadSpec, WorkloadState } from '../container-runtime.ts';
import { createdState } from '../created-state.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import { MemoryFiles } from './memory-files.ts';
import { type MemoryImage, memoryImage } from './memory-image.ts';
import { MemoryLog } from './memory-log.ts';
import { MemoryProcess, type ProcessSetup } from './memory-process.ts';
import { ProcessStreams, type ProcessStreamsOptions } from './process-streams.ts';

export interface WorkloadSetup {
  spec: WorkloadSpec;
  /** `null` where it comes with the first start (`bring`). */
  image: MemoryImage | null;
  /** Whether each run begins a log of its own, as on a cluster. */
  logsLastRunOnly: boolean;
  engineId: string;
  clock: Clock;
  /** Engine volumes by name, made when first mounted. */
  volume(name: string): MemoryFiles;
  /** Tells what happened, under Docker's names. */
  tell(action: string): void;
  /** Called when an auto-remove workload has ended. */
  removeSelf(): void;
}

/** Stands for an image that was not brought yet. */
const noImage = memoryImage('none', { files: new MemoryFiles(() => 0), command: [] });

/** Docker waits 100 ms before the first restart and doubles it up to a minute. */
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 60_000;

/** One workload of the memory runtime: its state over time, its files, its log and its processes. */
export class MemoryWorkload {
  readonly spec: WorkloadSpec;
  image: MemoryImage;
  readonly engineId: string;
  readonly hostname: string;
  files: MemoryFiles;
  log: MemoryLog;
  readonly limits: { cpu: number | null; memoryMiB: number | null };
  state: WorkloadState = { ...createdState };

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
    this.image = setup.image ?? noImage;
    this.engineId = setup.engineId;
    this.hostname = setup.spec.hostname ?? setup.engineId.slice(0, 12);
    this.limits = { cpu: setup.spec.cpu, memoryMiB: setup.spec.memoryMiB };
    this.log = this.#newLog();
    this.files = this.#newFiles();
  }

  get hasImage(): boolean {
    return this.image !== noImage;
  }

  /** How often it was started again by itself since its start. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Entrypoint and command as the process gets them. An entrypoint of the user's drops the image's command. */
  get argv(): string[] {
    const { entrypoint, command } = this.spec;
    return [...(entrypoint ?? this.image.entrypoint), ...(command ?? (entrypoint ? [] : this.image.command))];
  }

  get runs(): boolean {
    return this.state.status === 'running' || this.state.status === 'paused' || this.state.status === 'restarting';
  }

  /** Takes the image that came with the first start, and the files in it. */
  bring(image: MemoryImage): void {
    if (this.hasImage) return;
    this.image = image;
    this.files = this.#newFiles();
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

  /** As if it had never been started; for what does not run. */
  reset(): void {
    this.state = { ...createdState };
  }

  /** Says why a start that came from elsewhere was in vain. */
  couldNotStart(words: string): void {
    this.#become({ error: words }, 'die');
  }

  /** Resolves when what was started has ended for good. */
  untilEnded(): Promise<void> {
    return this.#settled.promise;
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
  guest(streams: ProcessStreamsOptions): MemoryProcess {
    this.#requireUnpaused('exec');
    const guest = new MemoryProcess(this.#processSetup(streams));
    this.#guests.add(guest);
    return guest;
  }

  /** A console on the main process. */
  attach(): Console {
    return this.#requireUnpaused('attach').streams.open();
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
    if (this.#setup.logsLastRunOnly) this.log = this.#newLog();
    const process = new MemoryProcess(
      this.#processSetup({
        tty: this.spec.tty,
        interactive: this.spec.interactive,
        record: (stream, bytes) => this.log.write(stream, bytes),
      }),
    );
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
    const wait = Math.min(FIRST_BACKOFF_MS * 2 ** this.#restarts, LONGEST_BACKOFF_MS);
    await this.#setup.clock.sleep(wait, this.#backoff.signal);
    if (!this.#stopAsked) {
      this.#restarts += 1;
      return this.#begin();
    }
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

  #requireRunning(): MemoryProcess {
    if (!this.#process) throw new RuntimeFault('conflict', `Container ${this.engineId} is not running`);
    return this.#process;
  }

  #requireUnpaused(call: string): MemoryProcess {
    const process = this.#requireRunning();
    if (this.state.status !== 'paused') return process;
    throw new RuntimeFault('conflict', `Container ${this.engineId} is paused, unpause the container before ${call}`);
  }

  #newLog(): MemoryLog {
    return new MemoryLog(() => this.#setup.clock.now());
  }

  /** The image's, with what is put or mounted into them. */
  #newFiles(): MemoryFiles {
    const files = this.image.files.clone();
    files.write('/etc/hostname', Buffer.from(`${this.hostname}\n`));
    files.makeDirectory(this.#workdir());
    for (const mount of this.spec.mounts) files.mount(mount.destination, this.#mounted(mount));
    return files;
  }

  #workdir(): string {
    return this.spec.workdir ?? this.image.workdir;
  }

  #processSetup(streams: ProcessStreamsOptions): ProcessSetup {
    return {
      clock: this.#setup.clock,
      files: this.files,
      environment: { PATH: '/bin', HOSTNAME: this.hostname, ...this.image.environment, ...this.spec.environment },
      workdir: this.#workdir(),
      streams: new ProcessStreams(streams),
    };
  }

  #mounted(mount: WorkloadSpec['mounts'][number]): MemoryFiles {
    if (mount.kind === 'volume') return this.#setup.volume(mount.source);
    const tree = new MemoryFiles(() => this.#setup.clock.now());
    tree.write('/', mount.content);
    return tree;
  }
}
