import type { WorkloadSpec } from '../container-runtime.ts';
import { isFault, RuntimeFault } from '../runtime-fault.ts';
import { containerBody } from './container-body.ts';
import type { ContentFiles } from './content-files.ts';
import { endedMeanwhile } from './ended-meanwhile.ts';
import type { EngineClient } from './engine-client.ts';
import type { InspectedContainer } from './observation.ts';
import type { WorkloadLimits } from './workload-limits.ts';
import { containerLabel, workloadName } from './workload-name.ts';
import type { WorkloadNetworks } from './workload-networks.ts';

/** How long an engine may need beyond the grace period before a stop counts as failed. */
const stopSlackMs = 60_000;

/** Create, start, stop and so on. All may be repeated: what is already so succeeds (the engine's 304 counts as success). */
export class WorkloadLifecycle {
  readonly #engine: EngineClient;
  readonly #contents: ContentFiles;
  readonly #networks: WorkloadNetworks;
  readonly #limits: WorkloadLimits;

  constructor(engine: EngineClient, contents: ContentFiles, networks: WorkloadNetworks, limits: WorkloadLimits) {
    this.#engine = engine;
    this.#contents = contents;
    this.#networks = networks;
    this.#limits = limits;
  }

  async create(spec: WorkloadSpec): Promise<void> {
    const existing = await this.#find(spec.uuid);
    if (existing === null) await this.#createNew(spec);
    else if (existing.Config?.Labels?.[containerLabel] !== spec.uuid) {
      throw new RuntimeFault('conflict', `The container name ${workloadName(spec.uuid)} is in use by a container that is not Zun's.`);
    }
    await this.#networks.complete(spec);
  }

  async #createNew(spec: WorkloadSpec): Promise<void> {
    const binds = await this.#contents.write(spec.uuid, spec.mounts);
    try {
      await this.#engine.request({
        method: 'POST',
        path: '/containers/create',
        query: { name: workloadName(spec.uuid) },
        json: containerBody(spec, binds, await this.#networks.emptyMode(), await this.#engine.kind()),
      });
    } catch (error) {
      // After these nothing was made, so the files have no owner; after any other fault the container may exist.
      if (isFault(error, 'not-found', 'invalid', 'conflict', 'failed')) await this.#contents.remove(spec.uuid);
      throw error;
    }
  }

  async start(uuid: string, signal?: AbortSignal): Promise<void> {
    try {
      await this.#engine.request({ method: 'POST', path: `${containerPath(uuid)}/start`, signal });
    } catch (error) {
      // Docker says 400 for a command that is missing in the image; the request itself was right.
      if (isFault(error, 'invalid')) throw new RuntimeFault('failed', error.message, { cause: error });
      throw error;
    }
    await this.#limits.restore(uuid, signal);
  }

  async stop(uuid: string, graceSeconds: number, signal?: AbortSignal): Promise<void> {
    await this.#unpausing(uuid, signal, () => this.#end(uuid, 'stop', graceSeconds, signal));
  }

  async restart(uuid: string, graceSeconds: number, signal?: AbortSignal): Promise<void> {
    await this.#unpausing(uuid, signal, () => this.#end(uuid, 'restart', graceSeconds, signal));
    await this.#limits.restore(uuid, signal);
  }

  async kill(uuid: string, signalName: string, signal?: AbortSignal): Promise<void> {
    await this.#engine.request({ method: 'POST', path: `${containerPath(uuid)}/kill`, query: { signal: signalName }, signal });
    if ((await this.#engine.kind()) !== 'podman') return;
    // A signal does not reach a frozen process; Docker thaws it, Podman does not.
    await this.unpause(uuid, signal).catch((error) => {
      if (!isFault(error, 'conflict', 'not-found')) throw error;
    });
  }

  async pause(uuid: string, signal?: AbortSignal): Promise<void> {
    await this.#engine.request({ method: 'POST', path: `${containerPath(uuid)}/pause`, signal });
  }

  async unpause(uuid: string, signal?: AbortSignal): Promise<void> {
    await this.#engine.request({ method: 'POST', path: `${containerPath(uuid)}/unpause`, signal });
  }

  async remove(uuid: string, signal?: AbortSignal): Promise<void> {
    try {
      await this.#engine.request({ method: 'DELETE', path: containerPath(uuid), query: { force: true, v: true }, signal });
    } catch (error) {
      // A removal by the engine itself (auto-remove) is as good as this one.
      const underWay = isFault(error, 'conflict') && /removal of container .* is already in progress/i.test(error.message);
      if (!isFault(error, 'not-found') && !underWay) throw error;
    }
    await this.#contents.remove(uuid);
    await this.#limits.forget(uuid);
  }

  async #end(uuid: string, verb: 'stop' | 'restart', graceSeconds: number, signal?: AbortSignal): Promise<void> {
    const ask = () =>
      this.#engine.request({
        method: 'POST',
        path: `${containerPath(uuid)}/${verb}`,
        query: { t: Math.max(0, Math.round(graceSeconds)) },
        silenceMs: graceSeconds * 1000 + stopSlackMs,
        signal,
      });
    await ask().catch((error) => {
      if (!endedMeanwhile(error)) throw error;
      return ask();
    });
  }

  /** Docker ends a paused container as it is; Podman wants it unpaused first. */
  async #unpausing(uuid: string, signal: AbortSignal | undefined, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if ((await this.#engine.kind()) !== 'podman' || !isFault(error, 'conflict') || !/paused/.test(error.message)) throw error;
      await this.unpause(uuid, signal);
      await act();
    }
  }

  async #find(uuid: string, signal?: AbortSignal): Promise<InspectedContainer | null> {
    try {
      return await this.#engine.json<InspectedContainer>({ method: 'GET', path: `${containerPath(uuid)}/json`, signal });
    } catch (error) {
      if (isFault(error, 'not-found')) return null;
      throw error;
    }
  }
}

function containerPath(uuid: string): string {
  return `/containers/${workloadName(uuid)}`;
}
