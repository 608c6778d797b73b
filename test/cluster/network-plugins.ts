import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';

/** Where Debian's plugins are. */
const installed = '/usr/lib/cni';

/** The file in a cluster's `etc` by which the container runtime, and the component `networks`, know the networks. */
export const networkConfiguration = 'cni/10-networks.conflist';

/** The folder of a cluster with the programs that put Pods on networks. */
export const networkPlugins = (folder: string): string => path.join(folder, 'plugins');

/** Fills that folder: Debian's plugins and the tests' own. */
export async function linkNetworkPlugins(folder: string, networks: string): Promise<void> {
  const plugins = networkPlugins(folder);
  await mkdir(plugins, { recursive: true });
  for (const name of await readdir(installed)) await symlink(path.join(installed, name), path.join(plugins, name));
  await symlink(networks, path.join(plugins, 'networks'));
}
