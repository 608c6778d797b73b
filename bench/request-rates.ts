import { readdir, readFile } from 'node:fs/promises';
import { Pool } from 'undici';
import { DemoClient } from '../src/programs/demo-client.ts';
import { removeData, type StandaloneChild, standaloneChild } from './standalone-child.ts';

const connections = 16;
const seconds = 5;

/** Time to ready, first and second start, and the resident memory at rest, on the in-memory runtime. */
export async function figuresOfProcess(say: (line: string) => void): Promise<void> {
  const first = await standaloneChild({ ZUN_ENGINE: 'memory' });
  await first.stop();
  const second = await standaloneChild({ ZUN_ENGINE: 'memory' }, first.dataFolder);
  const memory = await residentMiB(second.pid);
  await second.stop();
  await removeData(first.dataFolder);
  say(
    `standalone: ready after ${(first.readyAfter / 1000).toFixed(2)} s, started again ${(second.readyAfter / 1000).toFixed(2)} s; resident ${memory} MiB`,
  );
}

/** Requests a second of list (100 of 1,000 rows), show and create, load and server on the same cores. */
export async function requestRates(say: (line: string) => void): Promise<void> {
  const child = await standaloneChild({ ZUN_ENGINE: 'memory' });
  try {
    const client = await DemoClient.login(child.cloudsFile, 'zun');
    const admin = await DemoClient.login(child.cloudsFile, 'zun-admin');
    await admin.request('PUT', `/v1/quotas/${client.projectId}`, { containers: -1, cpu: -1, memory: -1, disk: -1 });
    const body = { image: 'busybox', command: ['true'], cpu: 0.1, memory: '8' };
    const made = [];
    for (let index = 0; index < 1000; index += 1) made.push(await client.request('POST', '/v1/containers', body));
    const last = made.at(-1)?.uuid ?? '';
    await client.until(`/v1/containers/${last}`, (container) => container.status !== 'Creating');
    const load = (method: string, path: string, payload?: unknown) => rate(child, client.token, method, path, payload);
    say(`list of 100 of 1,000: ${await load('GET', '/v1/containers?limit=100')} requests/s`);
    say(`show:                 ${await load('GET', `/v1/containers/${last}`)} requests/s`);
    say(`create:               ${await load('POST', '/v1/containers', body)} requests/s`);
    say(`resident after that:  ${await residentMiB(child.pid)} MiB`);
  } finally {
    await child.stop();
    await removeData(child.dataFolder);
  }
}

async function rate(child: StandaloneChild, token: string, method: string, path: string, payload: unknown): Promise<number> {
  const pool = new Pool(child.url, { connections });
  const headers = { 'x-auth-token': token, 'openstack-api-version': 'container 1.40', 'content-type': 'application/json' };
  const body = payload === undefined ? null : JSON.stringify(payload);
  let answered = 0;
  const end = performance.now() + seconds * 1000;
  const worker = async () => {
    while (performance.now() < end) {
      const answer = await pool.request({ method: method as 'GET', path, headers, body });
      await answer.body.dump();
      if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}`);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  await pool.close();
  return Math.round(answered / seconds);
}

/** The largest process of the group: npm and the shell replace themselves or wait. */
async function residentMiB(group: number): Promise<number> {
  let largest = 0;
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const status = await readFile(`/proc/${entry}/status`, 'utf8').catch(() => '');
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    const processGroup = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
    const rss = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    if (processGroup === group && /^Name:\s+(node|MainThread)/m.test(status)) largest = Math.max(largest, rss);
  }
  return Math.round(largest / 1024);
}
