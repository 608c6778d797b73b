import { execFile } from 'node:child_process';
import { cpus } from 'node:os';
import type { ProcessTable, WorkloadStats } from '../container-runtime.ts';
import { checkPsArguments, processTable } from '../process-table.ts';
import { isFault, RuntimeFault } from '../runtime-fault.ts';
import type { EngineClient } from './engine-client.ts';
import type { InspectedContainer } from './observation.ts';
import { type EngineStats, statsFigures } from './stats-figures.ts';
import type { WorkloadLimits } from './workload-limits.ts';
import { workloadName } from './workload-name.ts';

/** What goes on inside running workloads: processes and consumption. Not running is a `conflict`. */
export class WorkloadInsight {
  readonly #engine: EngineClient;
  readonly #limits: WorkloadLimits;

  constructor(engine: EngineClient, limits: WorkloadLimits) {
    this.#engine = engine;
    this.#limits = limits;
  }

  async top(uuid: string, psArgs: string | null, signal?: AbortSignal): Promise<ProcessTable> {
    if ((await this.#engine.kind()) === 'podman') return this.#podmanTop(uuid, psArgs ?? '-ef', signal);
    try {
      return await this.#engine.json<ProcessTable>({
        method: 'GET',
        path: `/containers/${workloadName(uuid)}/top`,
        query: psArgs === null ? {} : { ps_args: psArgs },
        signal,
      });
    } catch (error) {
      // ps(1)'s own complaint comes as a 500.
      if (isFault(error, 'failed')) throw new RuntimeFault('invalid', error.message, { cause: error });
      throw error;
    }
  }

  async stats(uuid: string, signal?: AbortSignal): Promise<WorkloadStats> {
    const container = await this.#running(uuid, signal);
    const { body } = await this.#engine.request({
      method: 'GET',
      path: `/containers/${workloadName(uuid)}/stats`,
      // The figures need one sample; without `one-shot` Docker takes a second to make two.
      query: { stream: false, 'one-shot': true },
      signal,
    });
    // It ended between the two calls.
    if (body.length === 0) throw notRunning(container);
    const stats = JSON.parse(body.toString('utf8')) as EngineStats;
    if ((await this.#engine.kind()) === 'docker') return statsFigures(stats);
    const figures = statsFigures(stats, machineCpuNanoseconds());
    return { ...figures, memoryLimitBytes: (await this.#limits.changedMemory(uuid)) ?? figures.memoryLimitBytes };
  }

  /**
   * Docker's way to make the table, for Podman, which runs the image's own ps instead: the machine's ps, and of its rows those of
   * the workload. Podman and this service share the machine.
   */
  async #podmanTop(uuid: string, psArgs: string, signal?: AbortSignal): Promise<ProcessTable> {
    await this.#running(uuid, signal);
    const psArguments = psArgs.split(/\s+/).filter((word) => word !== '');
    checkPsArguments(psArguments);
    const table = await this.#engine.json<ProcessTable>({
      api: 'libpod',
      method: 'GET',
      path: `/containers/${workloadName(uuid)}/top`,
      query: { ps_args: 'hpid', stream: false },
      signal,
    });
    const pids = new Set(table.Processes.map(([pid]) => Number(pid)));
    return processTable(await runPs(psArguments, signal), pids);
  }

  async #running(uuid: string, signal?: AbortSignal): Promise<InspectedContainer> {
    const path = `/containers/${workloadName(uuid)}/json`;
    const container = await this.#engine.json<InspectedContainer>({ method: 'GET', path, signal });
    if (!container.State?.Running && container.State?.Status !== 'paused') throw notRunning(container);
    return container;
  }
}

function notRunning(container: InspectedContainer): RuntimeFault {
  return new RuntimeFault('conflict', `Container ${container.Id ?? ''} is not running`);
}

/** Podman 4.3's `system_cpu_usage` is no sum over the processors; this is Docker's: all times of /proc/stat. */
function machineCpuNanoseconds(): number {
  const milliseconds = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.idle + times.irq, 0);
  return milliseconds * 1e6;
}

function runPs(psArguments: string[], signal?: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 64 * 1024 * 1024, timeout: 10_000, signal };
    execFile('ps', psArguments, options, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      if (error.code === 'ENOENT') return reject(new RuntimeFault('unsupported', 'There is no ps on this machine: install procps.'));
      if (signal?.aborted) return reject(new RuntimeFault('timeout', 'ps did not answer before the deadline.'));
      // The first line says what is wrong; the usage follows.
      const complaint = stderr.split('\n').find((line) => line.trim() !== '') ?? error.message;
      reject(new RuntimeFault('invalid', `ps: ${complaint.trim()}`));
    });
  });
}
