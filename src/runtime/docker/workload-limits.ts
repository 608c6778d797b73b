import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFault } from '../runtime-fault.ts';
import type { EngineClient } from './engine-client.ts';
import type { InspectedContainer } from './observation.ts';
import { type EngineLimits, resourceLimits, type WantedLimits } from './resource-limits.ts';
import { workloadName } from './workload-name.ts';

/**
 * Changes limits of workloads. Docker keeps a change. Podman 4.3 has no `/update` in Docker's API, and its own changes the cgroup
 * of a running container only; so there the wish is kept in `<folder>/<uuid>.json` and given again after each start.
 */
export class WorkloadLimits {
  readonly #engine: EngineClient;
  readonly #folder: string;

  constructor(engine: EngineClient, folder: string) {
    this.#engine = engine;
    this.#folder = folder;
  }

  async update(uuid: string, wanted: WantedLimits, signal?: AbortSignal): Promise<void> {
    const limits = resourceLimits(wanted);
    if (Object.keys(limits).length === 0) return;
    if ((await this.#engine.kind()) === 'docker') {
      await this.#engine.request({ method: 'POST', path: `/containers/${workloadName(uuid)}/update`, json: limits, signal });
      return;
    }
    const all = { ...(await this.#read(uuid)), ...limits };
    await this.#apply(uuid, all, signal);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(this.#path(uuid), JSON.stringify(all), { mode: 0o600 });
  }

  /** To be called after a start. */
  async restore(uuid: string, signal?: AbortSignal): Promise<void> {
    if ((await this.#engine.kind()) === 'docker') return;
    const limits = await this.#read(uuid);
    if (limits !== null) await this.#apply(uuid, limits, signal);
  }

  /** The memory limit in bytes, where the engine's own figures know only the one from create. */
  async changedMemory(uuid: string): Promise<number | null> {
    return (await this.#read(uuid))?.Memory ?? null;
  }

  async forget(uuid: string): Promise<void> {
    await rm(this.#path(uuid), { force: true });
  }

  async #apply(uuid: string, limits: EngineLimits, signal?: AbortSignal): Promise<void> {
    try {
      await this.#engine.request({
        api: 'libpod',
        method: 'POST',
        path: `/containers/${workloadName(uuid)}/update`,
        json: {
          ...(limits.CpuShares === undefined ? {} : { cpu: { shares: limits.CpuShares } }),
          ...(limits.Memory === undefined ? {} : { memory: { limit: limits.Memory, swap: limits.MemorySwap } }),
        },
        signal,
      });
    } catch (error) {
      // Podman hands the runtime's exit status through, whatever the reason. Not running is none: the next start gives the limits.
      if (!isFault(error, 'failed', 'conflict') || (await this.#isRunning(uuid, signal))) throw error;
    }
  }

  async #isRunning(uuid: string, signal?: AbortSignal): Promise<boolean> {
    const path = `/containers/${workloadName(uuid)}/json`;
    const { State } = await this.#engine.json<InspectedContainer>({ method: 'GET', path, signal });
    return State?.Running ?? false;
  }

  async #read(uuid: string): Promise<EngineLimits | null> {
    try {
      return JSON.parse(await readFile(this.#path(uuid), 'utf8')) as EngineLimits;
    } catch {
      return null;
    }
  }

  #path(uuid: string): string {
    return join(this.#folder, `${uuid}.json`);
  }
}
