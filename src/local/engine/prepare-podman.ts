import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findProgram } from './find-program.ts';
import { supportsOverlay } from './overlay-support.ts';
import { containersConf, registriesConf, signaturePolicy, storageConf } from './podman-configuration.ts';
import type { PodmanPaths } from './podman-paths.ts';
import { processLimits } from './process-limits.ts';

const netavarkPaths = [
  '/usr/lib/podman/netavark',
  '/usr/libexec/podman/netavark',
  '/usr/local/libexec/podman/netavark',
  '/usr/local/lib/podman/netavark',
];

/** Makes the folders and writes the configuration of a private Podman. Throws what the filesystem throws (full, read-only). */
export async function preparePodman(paths: PodmanPaths, path: string | undefined): Promise<void> {
  await mkdir(paths.folder, { recursive: true, mode: 0o700 });
  await forgetEarlierBoot(paths);
  for (const folder of [paths.graphRoot, paths.runRoot, paths.tmpDir, paths.networks, dirname(paths.policy)]) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }
  const read = (file: string) => readFile(file, 'utf8').catch(() => '');
  const machine = {
    limits: processLimits(await read('/proc/self/limits'), await read('/proc/sys/kernel/pid_max')),
    runc: await findProgram('runc', path),
    hasNetavark: (await Promise.all(netavarkPaths.map(exists))).includes(true),
  };
  await writeFile(paths.containersConf, containersConf(paths, machine));
  await writeFile(paths.registriesConf, registriesConf());
  await writeFile(paths.policy, signaturePolicy());
  // The driver of a store that has images must not change.
  if (!(await exists(paths.storageConf))) {
    await writeFile(paths.storageConf, storageConf(paths, (await supportsOverlay(paths.folder)) ? 'overlay' : 'vfs'));
  }
}

/**
 * Podman knows that the machine was started anew by its run folders being empty, as /run is then. These here lie on disk: without
 * this it would take containers of the earlier boot for running.
 */
async function forgetEarlierBoot(paths: PodmanPaths): Promise<void> {
  const now = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const earlier = await readFile(paths.bootId, 'utf8').catch(() => '');
  if (now === earlier) return;
  await rm(paths.runRoot, { recursive: true, force: true });
  await rm(paths.tmpDir, { recursive: true, force: true });
  await writeFile(paths.bootId, now);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
