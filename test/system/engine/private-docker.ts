import { spawn } from 'node:child_process';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { probeEngine } from '../../../src/local/engine/engine-probe.ts';
import { EngineClient } from '../../../src/runtime/docker/engine-client.ts';
import { removeAllContainers } from './remove-all-containers.ts';
import type { TestEngine } from './test-engine.ts';
import { until } from './until.ts';

/** A dockerd of its own: root, socket and containerd in a temporary folder, no default bridge. Needs root and Debian's docker.io. */
export async function startPrivateDocker(): Promise<TestEngine> {
  const folder = await mkdtemp(join(tmpdir(), 'zun-docker-'));
  const socket = join(folder, 'd.sock');
  const log = await open(join(folder, 'log'), 'w');
  const args = ['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec'), '--pidfile', join(folder, 'pid')];
  const child = spawn('dockerd', [...args, '--host', `unix://${socket}`, '--bridge', 'none'], { stdio: ['ignore', log.fd, log.fd] });
  await log.close();
  const exit = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const target = await until('dockerd answers', () => probeEngine(socket), 30_000).catch(async (error) => {
    throw new Error(`dockerd did not start: ${(await readFile(join(folder, 'log'), 'utf8')).split('\n').slice(-5).join('\n')}`, {
      cause: error,
    });
  });
  return {
    target,
    close: async () => {
      const client = new EngineClient(target);
      await removeAllContainers(client);
      await client.close();
      child.kill('SIGTERM');
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
