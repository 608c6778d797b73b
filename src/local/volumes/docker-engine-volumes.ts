import type { EngineClient } from '../../runtime/docker/engine-client.ts';
import { isFault, RuntimeFault } from '../../runtime/runtime-fault.ts';
import type { EngineVolume, EngineVolumes } from './engine-volumes.ts';

/** The volumes of a Docker Engine API, by its `local` driver. */
export class DockerEngineVolumes implements EngineVolumes {
  readonly #engine: EngineClient;

  constructor(engine: EngineClient) {
    this.#engine = engine;
  }

  async list(_projectId: string, signal?: AbortSignal): Promise<EngineVolume[]> {
    type Listed = { Volumes?: { Name?: string; Labels?: Record<string, string> | null }[] | null };
    const { Volumes: volumes } = await this.#engine.json<Listed>({ method: 'GET', path: '/volumes', signal });
    return (volumes ?? []).flatMap(({ Name: name, Labels: labels }) => (name ? [{ name, labels: labels ?? {} }] : []));
  }

  async create({ name, labels }: EngineVolume, signal?: AbortSignal): Promise<void> {
    await this.#engine.request({ method: 'POST', path: '/volumes/create', json: { Name: name, Driver: 'local', Labels: labels }, signal });
  }

  async remove({ name }: EngineVolume, signal?: AbortSignal): Promise<void> {
    try {
      await this.#engine.request({ method: 'DELETE', path: `/volumes/${encodeURIComponent(name)}`, signal });
    } catch (error) {
      if (isFault(error, 'not-found')) return;
      if (isFault(error) && /in use|being used/i.test(error.message)) throw new RuntimeFault('conflict', error.message, { cause: error });
      throw error;
    }
  }
}
