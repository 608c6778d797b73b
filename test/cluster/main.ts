import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { bootCluster, endCluster } from './boot.ts';
import { connectCluster } from './cluster.ts';
import { type ClusterFacts, readFacts } from './cluster-facts.ts';
import { Inside } from './inside.ts';
import { clusterLives, nodeLock } from './namespaces.ts';
import { clusterPrograms } from './programs.ts';
import { sharedClusterFolder, sharedClusterVariable } from './shared-cluster.ts';

const usage = `main.ts build              builds the programs
main.ts up                 starts a node cluster that stays up, and says how to use it
main.ts run -- COMMAND…    runs a command inside of it
main.ts down               ends it`;

async function up(): Promise<void> {
  const { folder } = await bootCluster('node', false);
  const cluster = await connectCluster(folder);
  console.log(`export ${sharedClusterVariable}=${folder} KUBECONFIG=${cluster.kubeconfig}`);
  console.log(`# node ${cluster.nodeName}, registry ${cluster.registry} inside and ${cluster.outsideRegistry} outside`);
}

async function facts(): Promise<ClusterFacts> {
  const folder = sharedClusterFolder() ?? (await readFile(nodeLock, 'utf8').catch(() => ''));
  const found = folder === '' ? null : await readFacts(folder);
  if (found === null || !(await clusterLives(folder))) throw new Error('no node cluster is up: node test/cluster/main.ts up');
  return found;
}

async function run(command: string[]): Promise<number> {
  const [file, args, env] = new Inside(await facts()).invocation(command);
  const child = spawn(file, args, { stdio: 'inherit', env });
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

const [command = '', ...args] = process.argv.slice(2);
if (command === 'build') await clusterPrograms();
else if (command === 'up') await up();
else if (command === 'run') process.exitCode = await run(args[0] === '--' ? args.slice(1) : args);
else if (command === 'down') await endCluster(await facts());
else {
  console.error(usage);
  process.exitCode = 2;
}
