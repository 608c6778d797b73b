import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBusyboxImage } from '../../src/local/busybox-image/build-busybox-image.ts';
import { DockerImageStore } from '../../src/runtime/docker/docker-image-store.ts';
import { DockerRuntime } from '../../src/runtime/docker/docker-runtime.ts';
import { EngineClient } from '../../src/runtime/docker/engine-client.ts';
import { systemClock } from '../../src/telemetry/clock.ts';
import type { RuntimeFixture } from '../contract/runtime/runtime-fixture.ts';
import { runtimeContract } from '../contract/runtime-contract.ts';
import { loadImage } from './engine/load-image.ts';
import { startLocalRegistry } from './engine/local-registry.ts';
import { startPrivateDocker } from './engine/private-docker.ts';
import { startPrivatePodman } from './engine/private-podman.ts';
import { pushImage } from './engine/push-image.ts';
import type { TestEngine } from './engine/test-engine.ts';

runtimeContract('Docker', () => fixture(startPrivateDocker, '10.213.1'));
runtimeContract('Podman', () => fixture(startPrivatePodman, '10.213.2'));

async function fixture(start: () => Promise<TestEngine>, subnet: string): Promise<RuntimeFixture> {
  // Whatever of it fails: a registry that is left behind would keep this process from ending.
  await using opening = new AsyncDisposableStack();
  const engine = await start();
  opening.defer(() => engine.close());
  const client = new EngineClient(engine.target);
  opening.defer(() => client.close());
  const registry = await startLocalRegistry();
  opening.defer(() => registry.close());
  const dataFolder = await mkdtemp(join(tmpdir(), 'zun-runtime-'));
  opening.defer(() => rm(dataFolder, { recursive: true, force: true }));
  const busybox = await buildBusyboxImage();
  await loadImage(client, busybox, 'zun-test/busybox:latest');
  await pushImage(registry.host, 'zun-test/pulled', 'v1', busybox);
  const network = 'zun-contract';
  await client.request({
    method: 'POST',
    path: '/networks/create',
    json: { Name: network, Driver: 'bridge', IPAM: { Config: [{ Subnet: `${subnet}.0/24` }] } },
  });
  const open = opening.move();
  return {
    runtime: new DockerRuntime({ engine: client, dataFolder, clock: systemClock }),
    images: new DockerImageStore(client),
    image: 'zun-test/busybox:latest',
    missing: { repository: `${registry.host}/zun-test/nosuch`, tag: 'v1' },
    pullable: { repository: `${registry.host}/zun-test/pulled`, tag: 'v1' },
    network: { name: network, ipv4: `${subnet}.77` },
    privileged: engine.target.kind === 'podman' || (await hasAllCapabilities()),
    leftovers: (uuid) => leftovers(client, dataFolder, uuid),
    cleanup: () => open.disposeAsync(),
  };
}

/** Containers and volumes by the engine's lists, files by the adapter's folder. */
async function leftovers(client: EngineClient, dataFolder: string, uuid: string): Promise<string[]> {
  const containers = await client.json<{ Names: string[] }[]>({ method: 'GET', path: '/containers/json', query: { all: true } });
  const volumes = await client.json<{ Volumes: { Name: string }[] | null }>({ method: 'GET', path: '/volumes' });
  const files = await readdir(dataFolder, { recursive: true });
  const names = [...containers.flatMap(({ Names }) => Names), ...(volumes.Volumes ?? []).map(({ Name }) => Name), ...files];
  return names.filter((name) => name.includes(uuid));
}

/** Docker gives a privileged container every capability the kernel knows, whether it may or not; Podman those it may. */
async function hasAllCapabilities(): Promise<boolean> {
  const last = Number(await readFile('/proc/sys/kernel/cap_last_cap', 'utf8'));
  const [, bounding = '0'] = /^CapBnd:\s*([0-9a-f]+)$/m.exec(await readFile('/proc/self/status', 'utf8')) ?? [];
  return BigInt(`0x${bounding}`) === (1n << BigInt(last + 1)) - 1n;
}
