import type { NetworkInterface, WorkloadSpec } from '../container-runtime.ts';
import { isFault } from '../runtime-fault.ts';
import { endpointConfig } from './endpoint-config.ts';
import type { EngineClient } from './engine-client.ts';
import type { InspectedContainer } from './observation.ts';
import { workloadName } from './workload-name.ts';

/** Podman's own network; made by it when it is missing. */
const podmanNetwork = 'podman';

/** The interfaces of workloads on the engine's networks. */
export class WorkloadNetworks {
  readonly #engine: EngineClient;

  constructor(engine: EngineClient) {
    this.#engine = engine;
  }

  /**
   * The network mode of a workload without networks. Podman never connects a network to a container of mode `none`, so there it
   * is made on Podman's own network and taken off it (`complete`); Docker takes it off `none` when the first network comes.
   */
  async emptyMode(): Promise<string> {
    return (await this.#engine.kind()) === 'podman' ? podmanNetwork : 'none';
  }

  /** What create could not say: the second network and those after it, or none at all. */
  async complete(spec: WorkloadSpec, signal?: AbortSignal): Promise<void> {
    if (spec.sandbox !== undefined) return;
    if (spec.networks.length === 0 && (await this.#engine.kind()) === 'podman') await this.disconnect(spec.uuid, podmanNetwork, signal);
    for (const wanted of spec.networks.slice(1)) await this.connect(spec.uuid, wanted, signal);
  }

  async connect(uuid: string, wanted: NetworkInterface, signal?: AbortSignal): Promise<void> {
    const name = workloadName(uuid);
    const container = await this.#engine.json<InspectedContainer>({ method: 'GET', path: `/containers/${name}/json`, signal });
    const networks = Object.keys(container.NetworkSettings?.Networks ?? {});
    if (networks.includes(wanted.engineNetwork)) return;
    if (networks.includes('none')) await this.disconnect(uuid, 'none', signal);
    try {
      await this.#engine.request({
        method: 'POST',
        path: `/networks/${encodeURIComponent(wanted.engineNetwork)}/connect`,
        json: { Container: name, EndpointConfig: endpointConfig(wanted) },
        signal,
      });
    } catch (error) {
      // The network may have been named by its id, which the inspection does not list.
      if (isFault(error) && /already exists in network|already connected to network/i.test(error.message)) return;
      throw error;
    }
  }

  async disconnect(uuid: string, network: string, signal?: AbortSignal): Promise<void> {
    try {
      await this.#engine.request({
        method: 'POST',
        path: `/networks/${encodeURIComponent(network)}/disconnect`,
        json: { Container: workloadName(uuid), Force: true },
        signal,
      });
    } catch (error) {
      // Docker answers 500 here (moby issue 35888).
      if (isFault(error) && /is not connected to (the )?network/i.test(error.message)) return;
      if (isFault(error, 'not-found') && /network/i.test(error.message)) return;
      throw error;
    }
  }
}
