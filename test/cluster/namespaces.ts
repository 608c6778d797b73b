import { spawn } from 'node:child_process';
import { access, open, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { until } from '../system/engine/until.ts';
import { runCommand } from '../system/run-command.ts';
import { type ClusterPlace, node } from './cluster-facts.ts';

/**
 * Held by a node cluster while it lives. A second kubelet would take the first one's Pods for leftovers of its own: they share the
 * cgroup /kubepods.
 */
export const nodeLock = '/run/zun-test-cluster.lock';

/** flock's exit code for "somebody else holds it". */
const held = 75;

/**
 * Starts the namespaces of a cluster, with `init.sh` as their process 1, and answers its number once they are set up. Locks end with
 * whoever holds them, so that a cluster that was killed leaves none. `attached`: the cluster ends with this process, however it ends.
 */
export async function startNamespaces({ mode, folder }: ClusterPlace, attached: boolean): Promise<number> {
  const unshare = ['unshare', '--mount', '--net', '--pid', '--fork', '--mount-proc', '--kill-child'];
  const command = [
    ...(attached ? ['setpriv', '--pdeathsig', 'KILL'] : []),
    ...(mode === 'node' ? ['flock', '-n', '-E', String(held), '-F', nodeLock] : []),
    ...['flock', '-F', path.join(folder, 'alive')],
    ...[...unshare, path.join(import.meta.dirname, 'init.sh'), folder, node.address],
  ];
  const log = await open(path.join(folder, 'log/init.log'), 'w');
  const [file = '', ...args] = command;
  const child = spawn(file, args, { stdio: ['ignore', log.fd, log.fd], detached: true });
  await log.close();
  child.unref();
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  const ask = async () => (ended() ? false : (await exists(path.join(folder, 'inside'))) ? true : null);
  if (!(await until('the namespaces are set up', ask, 60_000))) throw await refusal(child.exitCode, folder);
  if (mode === 'node') await writeFile(nodeLock, folder);
  const [init] = (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).trim().split(' ');
  return Number(init);
}

/** Whether a cluster's namespaces are alive; false for a folder of one that was killed. */
export async function clusterLives(folder: string): Promise<boolean> {
  return (await runCommand('flock', ['-n', path.join(folder, 'alive'), 'true'])).exitCode !== 0;
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

async function refusal(exitCode: number | null, folder: string): Promise<Error> {
  if (exitCode !== held) return new Error(`the namespaces ended:\n${await readFile(path.join(folder, 'log/init.log'), 'utf8')}`);
  const other = await readFile(nodeLock, 'utf8');
  return new Error(
    `A node cluster is up already, in ${other}, and a machine holds one. Use it (ZUN_TEST_CLUSTER=${other}), or end it: node test/cluster/main.ts down`,
  );
}
