import { mkdir, mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { until } from '../system/engine/until.ts';
import { runCommandWell } from '../system/run-command.ts';
import { makeCertificates } from './certificates.ts';
import { type ClusterFacts, type ClusterMode, writeFacts } from './cluster-facts.ts';
import { writeConfiguration } from './configuration.ts';
import { folderPrefix, removeDeadClusters, removeFolder, removePodCgroups, removeVolumeFolder } from './leftovers.ts';
import { clusterLives, startNamespaces } from './namespaces.ts';
import { linkNetworkPlugins } from './network-plugins.ts';
import { clusterPrograms } from './programs.ts';
import { startComponents } from './start-components.ts';

/**
 * Starts a cluster from nothing and answers once it takes work: a node in about ten seconds, a control plane in three. What earlier ones
 * that were killed have left is removed first. `attached`: it ends with this process, however it ends.
 */
export async function bootCluster(mode: ClusterMode, attached: boolean): Promise<ClusterFacts> {
  await runCommandWell('bash', [path.join(import.meta.dirname, 'packages.sh')]);
  const programs = await clusterPrograms();
  await removeDeadClusters();
  const folder = await mkdtemp(folderPrefix);
  try {
    for (const name of ['log', 'run', 'pids', 'pki', 'etc/cni', 'cache']) await mkdir(path.join(folder, name), { recursive: true });
    const place = { mode, folder, ...programs };
    const [init] = await Promise.all([
      startNamespaces(place, attached),
      makeCertificates(folder),
      writeConfiguration(folder),
      linkNetworkPlugins(folder, programs.networks),
    ]);
    const facts = { ...place, init };
    if (mode === 'node') await removePodCgroups();
    await startComponents(facts).catch(async (error) => {
      await endCluster(facts);
      throw error;
    });
    await writeFacts(facts);
    return facts;
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}

/** Ends a cluster with all that is in it, and removes what it leaves. */
export async function endCluster({ mode, init, folder }: ClusterFacts): Promise<void> {
  // Of one that has ended, the number may be another process's by now.
  if (await clusterLives(folder)) process.kill(init, 'SIGKILL');
  await until('the cluster ends', async () => ((await clusterLives(folder)) ? null : true));
  await removeFolder(folder);
  if (mode === 'control') return;
  await removePodCgroups();
  await removeVolumeFolder();
}
