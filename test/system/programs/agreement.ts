import { DockerEngineNetworks } from '../../../src/local/networking/docker-engine-networks.ts';
import { LocalNetworking } from '../../../src/local/networking/local-networking.ts';
import { DockerEngineVolumes } from '../../../src/local/volumes/docker-engine-volumes.ts';
import { DockerRuntime } from '../../../src/runtime/docker/docker-runtime.ts';
import { systemClock } from '../../../src/telemetry/clock.ts';
import { randomIds } from '../../../src/telemetry/ids.ts';
import { assertSettled, type Settled } from '../../bench/leftovers.ts';
import type { ProgramsWorld } from './programs-world.ts';

/**
 * Rows, workloads, interfaces, ports, volumes, claims, actions and events agree, nothing is without an owner, and no task is left: what tests of
 * sagas ask of the memory adapters, asked of a real engine.
 */
export async function assertAgreement(world: ProgramsWorld): Promise<void> {
  await assertSettled(lookAt(world));
}

/** The engine and the database of a world, as they are looked at. */
export function lookAt(world: ProgramsWorld): Settled {
  const { engine, database, folder } = world;
  const runtime = new DockerRuntime({ engine, dataFolder: `${folder}/data/runtime`, clock: systemClock });
  return {
    database,
    runtime: {
      list: () => runtime.list(),
      // Not the engine's figures, which take it two seconds each.
      async stats(uuid: string) {
        const inspected = await engine.json<{ HostConfig: { Memory: number } }>({ method: 'GET', path: `/containers/zun-${uuid}/json` });
        return { memoryLimitBytes: inspected.HostConfig.Memory };
      },
    },
    engineVolumes: new DockerEngineVolumes(engine),
    networking: new LocalNetworking({ engine: new DockerEngineNetworks(engine), database, ids: randomIds }),
    ask: async (method: string, path: string) => JSON.parse((await world.ask(method, path)).text),
  };
}
