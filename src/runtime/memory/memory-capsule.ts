import type { Clock } from '../../telemetry/clock.ts';
import type { CapsuleSpec, RestartPolicy, WorkloadSpec, WorkloadState } from '../container-runtime.ts';
import { createdState } from '../created-state.ts';
import type { MemoryWorkload } from './memory-workload.ts';

export interface CapsuleSetup {
  spec: CapsuleSpec;
  engineId: string;
  clock: Clock;
  /** Makes one of its containers. */
  member(spec: WorkloadSpec): MemoryWorkload;
  /** Brings a container's image; fails in the words of its registry. */
  bring(member: MemoryWorkload): Promise<void>;
  tell(action: string): void;
}

/** A capsule that is one object, as a Pod is: it runs its own containers, in the order and with the restarts of a kubelet. */
export class MemoryCapsule {
  readonly spec: CapsuleSpec;
  readonly engineId: string;
  readonly hostname: string;
  readonly #init: MemoryWorkload[];
  readonly #containers: MemoryWorkload[];
  readonly #setup: CapsuleSetup;
  state: WorkloadState = { ...createdState };
  #starting: Promise<void> = Promise.resolve();
  /** Aborts when what was started last is stopped. */
  #run = new AbortController();

  constructor(setup: CapsuleSetup) {
    const { spec, engineId } = setup;
    this.#setup = setup;
    this.spec = spec;
    this.engineId = engineId;
    this.hostname = spec.hostname ?? engineId.slice(0, 12);
    const member = (own: WorkloadSpec, restartPolicy: RestartPolicy) => setup.member({ ...own, restartPolicy, hostname: this.hostname });
    this.#init = spec.initContainers.map((own) => member(own, untilSuccess(spec.restartPolicy)));
    this.#containers = spec.containers.map((own) => member(own, spec.restartPolicy));
  }

  /** Init containers first. */
  get members(): MemoryWorkload[] {
    return [...this.#init, ...this.#containers];
  }

  get runs(): boolean {
    return this.state.status === 'running';
  }

  /** Resolves when the first container has begun; what comes after it goes on by itself. */
  start(): Promise<void> {
    if (!this.runs) this.#starting = this.#startAnew();
    return this.#starting;
  }

  /** Ends all containers at a time. */
  async stop(graceMs: number): Promise<void> {
    if (!this.runs) return;
    this.#run.abort();
    await Promise.all(this.members.map((member) => member.stop(graceMs)));
    this.#end();
  }

  async #startAnew(): Promise<void> {
    const run = new AbortController();
    this.#run = run;
    for (const member of this.members) member.reset();
    this.#become({ ...createdState, status: 'running', startedAt: this.#setup.clock.now() }, 'start');
    const [first] = this.members;
    try {
      if (first) await this.#begin(first, run.signal);
    } catch (error) {
      if (this.runs) this.#become({ ...createdState, error: wordsOf(error) }, 'die');
      throw error;
    }
    void this.#goOn(run.signal);
  }

  async #goOn(run: AbortSignal): Promise<void> {
    for (const member of this.#init) {
      if (!(await this.#begun(member, run))) return;
      await member.untilEnded();
      if (run.aborted) return;
      if (member.state.exitCode !== 0) return this.#end();
    }
    let all = true;
    for (const member of this.#containers) all = (await this.#begun(member, run)) && all;
    // A kubelet goes on trying what it could not start, so that the rest of it never ends by itself.
    if (!all) return;
    await Promise.all(this.#containers.map((member) => member.untilEnded()));
    if (!run.aborted) this.#end();
  }

  /** `false` when it could not be started, which its state says, or is not to be any more. */
  async #begun(member: MemoryWorkload, run: AbortSignal): Promise<boolean> {
    if (run.aborted || member.state.startedAt !== null) return !run.aborted;
    try {
      await this.#begin(member, run);
    } catch (error) {
      member.couldNotStart(wordsOf(error));
      return false;
    }
    return !run.aborted;
  }

  async #begin(member: MemoryWorkload, run: AbortSignal): Promise<void> {
    await this.#setup.bring(member);
    if (!run.aborted) member.start();
  }

  #end(): void {
    if (this.runs) this.#become({ status: 'exited', finishedAt: this.#setup.clock.now() }, 'die');
  }

  #become(change: Partial<WorkloadState>, action: string): void {
    this.state = { ...this.state, ...change };
    this.#setup.tell(action);
  }
}

/** Init containers run again after a failure only, and then as often as it takes. */
const untilSuccess = ({ name }: RestartPolicy): RestartPolicy => ({ name: name === 'no' ? 'no' : 'on-failure', maximumRetryCount: 0 });

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
