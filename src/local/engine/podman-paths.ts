import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** Everything the supervised Podman has lies below one folder, so that several services run side by side. */
export interface PodmanPaths {
  folder: string;
  home: string;
  graphRoot: string;
  runRoot: string;
  tmpDir: string;
  networks: string;
  containersConf: string;
  storageConf: string;
  registriesConf: string;
  policy: string;
  bootId: string;
  pidFile: string;
  log: string;
  socket: string;
}

/** Longest path of a unix socket on Linux (sun_path is 108 bytes with its final zero). */
const longestSocketPath = 107;

/** `folder` is absolute. A folder too deep for a socket gets its socket below /tmp, named after the folder. */
export function podmanPaths(folder: string): PodmanPaths {
  const socket = join(folder, 'podman.sock');
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return {
    folder,
    home: join(folder, 'home'),
    graphRoot: join(folder, 'storage'),
    runRoot: join(folder, 'run'),
    tmpDir: join(folder, 'tmp'),
    networks: join(folder, 'networks'),
    containersConf: join(folder, 'containers.conf'),
    storageConf: join(folder, 'storage.conf'),
    registriesConf: join(folder, 'registries.conf'),
    policy: join(folder, 'home', '.config', 'containers', 'policy.json'),
    bootId: join(folder, 'boot-id'),
    pidFile: join(folder, 'podman.pid'),
    log: join(folder, 'podman.log'),
    socket: Buffer.byteLength(socket) <= longestSocketPath ? socket : `/tmp/zun-engine-${digest}.sock`,
  };
}
