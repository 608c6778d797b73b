import { spawn } from 'node:child_process';
import { startCluster } from '../cluster/cluster.ts';
import { sharedClusterVariable } from '../cluster/shared-cluster.ts';

/**
 * Starts a node cluster, or takes the one that the environment names, runs Node's test runner with the given arguments on the given
 * files or those of this folder, which share the cluster, and stops it.
 */
async function main(args: string[]): Promise<number> {
  const started = performance.now();
  const cluster = await startCluster({ mode: 'node' });
  console.log(`Kubernetes takes Pods after ${Math.round(performance.now() - started)} ms, in ${cluster.folder}`);
  const env = { ...process.env, [sharedClusterVariable]: cluster.folder };
  try {
    return await new Promise<number>((resolve, reject) => {
      const runner = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--test', '--test-concurrency=1', ...args], {
        env,
        stdio: 'inherit',
      });
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => runner.kill(signal));
      runner.once('error', reject);
      runner.once('exit', (code) => resolve(code ?? 1));
    });
  } finally {
    await cluster.stop();
  }
}

const args = process.argv.slice(2);
/** All but `faults/`, which hurts the cluster that the others share, and is named when it is wanted. */
const usual = ['test/kubernetes/*.test.ts', 'test/kubernetes/!(faults)/**/*.test.ts'];
const files = args.some((argument) => !argument.startsWith('-')) ? [] : usual;
process.exitCode = await main([...args, ...files]);
