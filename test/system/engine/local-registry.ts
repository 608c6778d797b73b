import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

export interface LocalRegistry {
  /** `127.0.0.1:port`, the first part of an image's name. */
  host: string;
  close(): Promise<void>;
}

/** The login that a registry made with `login: true` wants. */
export const registryLogin = { username: 'zun', password: 'secret' };

/** bcrypt of the password above; the registry takes no other kind. */
const htpasswd = `${registryLogin.username}:$2b$05$abcdefghijklmnopqrstuuOQiyCxlgf/oeuTqixKmWdcYUh4Hjl0a\n`;

/** Debian's docker-registry on a free port of 127.0.0.1, over HTTP, with its images in a temporary folder. */
export async function startLocalRegistry({ login = false } = {}): Promise<LocalRegistry> {
  const folder = await mkdtemp(join(tmpdir(), 'zun-registry-'));
  const host = `127.0.0.1:${await freePort()}`;
  await writeFile(join(folder, 'htpasswd'), htpasswd);
  const config = {
    version: '0.1',
    log: { level: 'error', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: join(folder, 'images') }, delete: { enabled: true } },
    http: { addr: host },
    ...(login ? { auth: { htpasswd: { realm: 'zun-test', path: join(folder, 'htpasswd') } } } : {}),
  };
  // JSON is YAML.
  await writeFile(join(folder, 'config.yml'), JSON.stringify(config));
  const child = spawn('docker-registry', ['serve', join(folder, 'config.yml')], { stdio: 'ignore' });
  const exit = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  await until('the registry answers', async () => {
    const answer = await request(`http://${host}/v2/`);
    await answer.body.dump();
    return answer.statusCode;
  });
  return {
    host,
    close: async () => {
      child.kill('SIGTERM');
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
