import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from '../config/environment.ts';
import { buildBusyboxImage } from '../local/busybox-image/build-busybox-image.ts';
import { imageArchive } from '../local/busybox-image/image-archive.ts';
import { DemoClient } from './demo-client.ts';
import { type RunningStandalone, startStandalone } from './start-standalone.ts';

const image = 'zun-demo:latest';

/** `npm run demo`: a first container from nothing to its output through the API, each step shown, nothing left behind. */
async function main(): Promise<void> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const dataFolder = await mkdtemp(join(tmpdir(), 'zun-demo-'));
  let running: RunningStandalone | null = null;
  try {
    say('1. Start Zun in this process, on a data folder and ports of its own.');
    const port = await freePort();
    const environment = { ...readEnvironment(), dataFolder, port, adminPort: port + 3 };
    running = await startStandalone({ environment, hostname: hostname(), progress: (line) => say(`   ${line}`) });
    say(`   ${running.url}`);
    await tour(running, say);
    say('Done: nothing is left behind.');
  } finally {
    await running?.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

async function tour(running: RunningStandalone, say: (line: string) => void): Promise<void> {
  const client = await DemoClient.login(running.cloudsFile, 'zun');
  say(`2. Log in at the local identity, as ${client.user}.`);
  say(`3. Make an image of this machine's busybox, ${image}, since a registry may be out of reach.`);
  const { images } = running.core.services;
  await images.load(await imageArchive(await buildBusyboxImage(), [image]));
  try {
    const body = { name: 'first', image, command: ['sh', '-c', 'echo Hello from $(hostname); exit 0'], hostname: 'my-first-container' };
    say('4. POST /v1/containers?run=true');
    const created = await client.request('POST', '/v1/containers?run=true', body);
    say(`   202, status ${created.status}`);
    const path = `/v1/containers/${created.uuid}`;
    const ended = await client.until(path, (container) => container.status === 'Stopped' || container.status === 'Error');
    say(`5. GET ${path}\n   status ${ended.status}, ${ended.status_detail ?? ended.status_reason}`);
    if (ended.status !== 'Stopped') throw new Error(`the container ended in ${ended.status}: ${ended.status_reason}`);
    const logs = await client.request('GET', `${path}/logs`);
    say(`6. GET ${path}/logs\n   ${String(logs).trim()}`);
    if (!String(logs).includes('Hello from my-first-container')) throw new Error('the output is not what the container printed');
    await client.request('DELETE', path);
    await client.untilGone(path);
    say(`7. DELETE ${path}\n   204, then 404`);
  } finally {
    await images.remove(image);
  }
}

/** Four ports in a row that nobody listens on. */
async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = await listenOnce(0);
    if (port <= 65_532 && (await Promise.all([1, 2, 3].map((next) => succeeds(listenOnce(port + next))))).every(Boolean)) return port;
  }
  throw new Error('there are no four free ports in a row');
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

const succeeds = (promise: Promise<unknown>) => promise.then(() => true).catch(() => false);

await main().catch((error) => {
  process.stderr.write(`zun demo failed: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
