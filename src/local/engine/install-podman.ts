import { spawn } from 'node:child_process';
import { access, readdir } from 'node:fs/promises';

/** What a private Podman needs on Debian: netavark calls iptables, `top` calls ps, our own small image is made of busybox. */
export const podmanPackages = ['podman', 'runc', 'conmon', 'netavark', 'iptables', 'procps', 'busybox-static'];

/** What to tell a user whose machine we do not install on. */
export const installHint = [
  'There is no container engine: neither DOCKER_HOST nor a Docker or Podman socket answers, and podman is not installed.',
  `Install Docker, or Podman: apt-get install --no-install-recommends ${podmanPackages.join(' ')}`,
].join('\n');

/** True for root on Debian or its kin. */
export async function canInstallPodman(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  return access('/usr/bin/apt-get').then(
    () => true,
    () => false,
  );
}

/** Installs the packages; apt's output goes to `progress`, a line at a time. Throws an `Error` with apt's last words. */
export async function installPodman(environment: Record<string, string | undefined>, progress: (line: string) => void): Promise<void> {
  progress(`installing the container engine: ${podmanPackages.join(' ')}`);
  const install = ['install', '-y', '--no-install-recommends', ...podmanPackages];
  const lists = await readdir('/var/lib/apt/lists').catch(() => []);
  const hasLists = lists.some((name) => name.includes('_Packages'));
  if (hasLists && (await aptGet(install, environment, progress)) === null) return;
  // The lists are missing or name versions that the mirror no longer has.
  await aptGet(['update'], environment, progress);
  const failure = await aptGet(install, environment, progress);
  if (failure !== null) throw new Error(`The container engine could not be installed: ${failure}`);
}

/** `null`, or apt's last words. */
function aptGet(args: string[], environment: Record<string, string | undefined>, progress: (line: string) => void): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn('apt-get', ['-q', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...environment, DEBIAN_FRONTEND: 'noninteractive' },
    });
    let last = '';
    const forward = (chunk: Buffer) => {
      for (const line of chunk.toString('utf8').split('\n')) {
        if (line.trim() === '') continue;
        last = line.trim();
        progress(`apt-get: ${last}`);
      }
    };
    child.stdout.on('data', forward);
    child.stderr.on('data', forward);
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(code === 0 ? null : last));
  });
}
