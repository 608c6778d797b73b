import { mkdtemp } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from '../src/config/environment.ts';
import { buildBusyboxImage } from '../src/local/busybox-image/build-busybox-image.ts';
import { imageArchive } from '../src/local/busybox-image/image-archive.ts';
import { DemoClient } from '../src/programs/demo-client.ts';
import { startStandalone } from '../src/programs/start-standalone.ts';
import { plainWorkload } from '../src/runtime/plain-workload.ts';
import { removeData } from './standalone-child.ts';

const pairs = 9;
const image = 'zun-bench:latest';
const command = ['sleep', '1000'];

/**
 * From the request to Running as GET shows it, over creating and starting the same container by the engine's own API on the
 * same network: pairs in turn, the median of their ratios.
 */
export async function createToOutput(say: (line: string) => void): Promise<void> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'zun-bench-'));
  const environment = { ...readEnvironment(), dataFolder, port: 27_517, logLevel: 'error' };
  const standalone = await startStandalone({ environment, hostname: hostname(), progress: say });
  const { runtime, images, networking } = standalone.core.services;
  try {
    await images.load(await imageArchive(await buildBusyboxImage(), [image]));
    const client = await DemoClient.login(standalone.cloudsFile, 'zun');
    const network = await networking.engineNetwork((await networking.defaultNetwork(client.projectId)).id);
    const api: number[] = [];
    const engine: number[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      api.push(await throughApi(client));
      engine.push(await byEngine(runtime, `00000000-0000-4000-8000-${String(pair).padStart(12, '0')}`, network));
    }
    const ratio = median(api.map((milliseconds, index) => milliseconds / (engine[index] ?? Number.NaN)));
    say(
      `create to Running (${runtime.name}): API ${ms(median(api))}, engine alone ${ms(median(engine))}, median ratio ${ratio.toFixed(2)}`,
    );
  } finally {
    await images.remove(image).catch(() => {});
    await standalone.stop();
    await removeData(dataFolder);
  }
}

async function throughApi(client: DemoClient): Promise<number> {
  const began = performance.now();
  const { uuid } = await client.request('POST', '/v1/containers?run=true', { image, command, cpu: 0.1, memory: '64' });
  const path = `/v1/containers/${uuid}`;
  const running = await client.until(path, ({ status }) => status === 'Running' || status === 'Error', 5);
  const took = performance.now() - began;
  if (running.status !== 'Running') throw new Error(`the container is in ${running.status}: ${running.status_reason}`);
  // The shell of the image does not heed SIGTERM as process 1.
  await client.request('POST', `${path}/kill`, {});
  await client.until(path, ({ status }) => status === 'Stopped');
  await client.request('DELETE', path);
  await client.untilGone(path);
  return took;
}

async function byEngine(runtime: Runtime, uuid: string, engineNetwork: string): Promise<number> {
  const began = performance.now();
  const networks = [{ engineNetwork, ipv4: null, ipv6: null, mac: null }];
  await runtime.create(plainWorkload({ uuid, image, command, cpu: 0.1, memoryMiB: 64, networks }));
  await runtime.start(uuid);
  while ((await runtime.inspect(uuid))?.state.status !== 'running') await new Promise((resolve) => setTimeout(resolve, 5));
  const took = performance.now() - began;
  await runtime.stop(uuid, 0);
  await runtime.remove(uuid);
  return took;
}

type Runtime = Awaited<ReturnType<typeof startStandalone>>['core']['services']['runtime'];

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const ms = (milliseconds: number): string => `${Math.round(milliseconds)} ms`;
