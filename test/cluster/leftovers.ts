import { access, glob, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../system/engine/until.ts';
import { runCommand } from '../system/run-command.ts';
import { clusterLives, nodeLock } from './namespaces.ts';

/** The folders of clusters: the number in the name is that of the process that made it. */
export const folderPrefix = path.join(tmpdir(), `zk-${process.pid}-`);

/** Removes the folders of clusters that were killed: nobody holds their lock, nor is anybody about to take it. */
export async function removeDeadClusters(): Promise<void> {
  for await (const name of glob('zk-*-*', { cwd: tmpdir() })) {
    const folder = path.join(tmpdir(), name);
    const [, starter = ''] = name.split('-');
    if (await exists(`/proc/${starter}`)) continue;
    if (!(await clusterLives(folder))) await removeFolder(folder);
  }
}

/** Removes a cluster's files. Its processes may still be on their way out. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Removes the empty folder over which a node mounts its volumes, unless another node has it by now: that would lose its mount. */
export async function removeVolumeFolder(): Promise<void> {
  await runCommand('flock', ['-n', nodeLock, 'rmdir', '/tmp/hostpath_pv']);
}

/** Removes the cgroups of the Pods of a node that is no more. Its processes may still be on their way out. */
export async function removePodCgroups(): Promise<void> {
  for await (const tree of glob('/sys/fs/cgroup/{,*/}kubepods'))
    await until(`${tree} is removed`, async () => {
      await runCommand('find', [tree, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', '+']);
      return (await exists(tree)) ? null : true;
    }).catch(async (cause) => {
      const processes = await readFile(path.join(tree, 'cgroup.procs'), 'utf8').catch(() => '');
      throw new Error(`${tree} is in use by another kubelet, or by processes that do not end: ${processes}`, { cause });
    });
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
