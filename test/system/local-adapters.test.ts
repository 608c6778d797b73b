import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import { buildBusyboxImage } from '../../src/local/busybox-image/build-busybox-image.ts';
import { DockerEngineNetworks } from '../../src/local/networking/docker-engine-networks.ts';
import { LocalNetworking } from '../../src/local/networking/local-networking.ts';
import { DockerEngineVolumes } from '../../src/local/volumes/docker-engine-volumes.ts';
import { LocalVolumes } from '../../src/local/volumes/local-volumes.ts';
import { DockerRuntime } from '../../src/runtime/docker/docker-runtime.ts';
import { EngineClient } from '../../src/runtime/docker/engine-client.ts';
import { systemClock } from '../../src/telemetry/clock.ts';
import { randomIds } from '../../src/telemetry/ids.ts';
import { memoryDatabase } from '../bench/task-bench.ts';
import { networkingContract } from '../contract/networking-contract.ts';
import { refused } from '../contract/refused.ts';
import { specOf } from '../contract/runtime/workload.ts';
import { volumesContract } from '../contract/volumes-contract.ts';
import { loadImage } from './engine/load-image.ts';
import { startPrivateDocker } from './engine/private-docker.ts';
import { startPrivatePodman } from './engine/private-podman.ts';
import type { TestEngine } from './engine/test-engine.ts';

const image = 'zun-test/busybox:latest';

for (const [name, start] of Object.entries({ Docker: startPrivateDocker, Podman: startPrivatePodman })) {
  describe(name, () => {
    let engine: TestEngine;
    let client: EngineClient;
    let database: Database;
    let dataFolder: string;
    let networking: LocalNetworking;
    let volumes: LocalVolumes;
    before(async () => {
      engine = await start();
      client = new EngineClient(engine.target);
      database = await memoryDatabase();
      dataFolder = await mkdtemp(join(tmpdir(), 'zun-adapters-'));
      networking = new LocalNetworking({ database, engine: new DockerEngineNetworks(client), ids: randomIds });
      volumes = new LocalVolumes({ database, engine: new DockerEngineVolumes(client) });
      await loadImage(client, await buildBusyboxImage(), image);
    });
    after(async () => {
      await client?.close();
      await engine?.close();
      await database?.close();
      await rm(dataFolder, { recursive: true, force: true });
    });

    const projectId = 'p';
    networkingContract(name, async () => ({ networking, projectId, cleanup: async () => {} }));
    volumesContract(name, async () => ({ volumes, projectId, cleanup: async () => {} }));

    test('a workload runs on the default network with the address, the MAC address and the volume that were promised', async () => {
      const runtime = new DockerRuntime({ engine: client, dataFolder, clock: systemClock });
      const uuid = randomUUID();
      const network = await networking.defaultNetwork();
      const nothing = { fixedIpv4: null, fixedIpv6: null, securityGroups: [] };
      const port = await networking.createPort({ key: `${uuid}/0`, networkId: network.id, containerUuid: uuid, projectId, ...nothing });
      const volume = await volumes.create({ key: `${uuid}-0`, sizeGiB: 1, projectId, userId: 'u' });
      const { engineVolume } = await volumes.attach(volume.id, { containerUuid: uuid, projectId });
      const engineNetwork = await networking.engineNetwork(network.id);
      const ipv4 = port.fixedIps[0]?.address ?? null;
      const spec = specOf(
        { image },
        {
          uuid,
          command: ['sleep', '100'],
          networks: [{ engineNetwork, ipv4, ipv6: null, mac: port.macAddress }],
          mounts: [{ kind: 'volume', source: engineVolume, destination: '/data', readOnly: false }],
        },
      );
      try {
        await runtime.create(spec);
        await runtime.start(uuid);
        const seen = await runtime.inspect(uuid);
        assert.deepEqual(seen?.addresses[engineNetwork], { ipv4, ipv6: null, mac: port.macAddress });
        const written = await runtime.exec(uuid, ['sh', '-c', 'echo kept >/data/file; cat /data/file'], 10_000);
        assert.equal(written.output.toString(), 'kept\n');
        await networking.deletePort(port.id);
        await refused(networking.deleteNetwork(network.id), 409, /./);
        await volumes.detach(volume.id, uuid);
        await refused(volumes.delete(volume.id, projectId), 409, /./);
      } finally {
        await runtime.remove(uuid);
      }
      await volumes.delete(volume.id, projectId);
      await networking.deleteNetwork(network.id);
      await refused(networking.findNetwork(network.id), 404, /./);
    });
  });
}
