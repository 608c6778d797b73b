import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findEngine } from '../../../src/local/engine/find-engine.ts';
import { EngineClient } from '../../../src/runtime/docker/engine-client.ts';
import { systemClock } from '../../../src/telemetry/clock.ts';
import { removeAllContainers } from './remove-all-containers.ts';
import { removeEngineFolder } from './remove-engine-folder.ts';
import type { TestEngine } from './test-engine.ts';

/** The Podman that standalone supervises, in a temporary folder. Needs root and Debian's podman, runc, netavark, iptables. */
export async function startPrivatePodman(): Promise<TestEngine> {
  const folder = await mkdtemp(join(tmpdir(), 'zun-podman-'));
  const engine = await findEngine({
    dataFolder: folder,
    dockerHost: null,
    runtimeFolder: null,
    search: 'private',
    environment: process.env,
    clock: systemClock,
    progress: (line) => console.error(line),
  });
  return {
    target: engine.target,
    close: async () => {
      const client = new EngineClient(engine.target);
      await removeAllContainers(client);
      await client.close();
      await engine.close();
      await removeEngineFolder(folder);
    },
  };
}
