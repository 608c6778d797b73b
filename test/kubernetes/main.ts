import { spawn } from 'node:child_process';
import { startCluster } from '../cluster/cluster.ts';
import { sharedClusterVariable } from '../cluster/shared-cluster.ts';

/** What kills parts of the cluster that all files share comes when the others are through. */
const last = 'test/kubernetes/faults/';
/** What is run when no file is named. */
const usual = ['test/kubernetes/*.test.ts', 'test/kubernetes/!(faults)/**/*.test.ts', `${last}**/*.test.ts`];

/**
 * Runs Node's test runner, one file at a time, on the cluster of the folder; answers its exit code. A program that a failed cleanup leaves
 * behind does not keep its file from ending.
 */
async function runTests(cluster: string, args: readonly string[], over: AbortSignal): Promise<number> {
  const runner = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--test', '--test-concurrency=1', '--test-force-exit', ...args],
    {
      env: { ...process.env, [sharedClusterVariable]: cluster },
      stdio: 'inherit',
    },
  );
  const end = () => runner.kill(over.reason);
  over.addEventListener('abort', end);
  return await new Promise<number>((resolve, reject) => {
    runner.once('error', reject);
    runner.once('exit', (code) => resolve(code ?? 1));
  }).finally(() => over.removeEventListener('abort', end));
}

/**
 * Starts a node cluster, or takes the one that the environment names, runs the given files or those of this folder on it, those that
 * hurt it last and with a summary of their own, and stops it. The exit code is that of the first part that failed.
 */
async function main(args: string[]): Promise<number> {
  const options = args.filter((argument) => argument.startsWith('-'));
  const named = args.filter((argument) => !argument.startsWith('-'));
  const files = named.length > 0 ? named : usual;
  const parts = [files.filter((file) => !file.includes(last)), files.filter((file) => file.includes(last))];

  const started = performance.now();
  const cluster = await startCluster({ mode: 'node' });
  console.log(`Kubernetes takes Pods after ${Math.round(performance.now() - started)} ms, in ${cluster.folder}`);
  const over = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => over.abort(signal));
  try {
    let failure = 0;
    for (const part of parts) {
      if (part.length === 0 || over.signal.aborted) continue;
      const code = await runTests(cluster.folder, [...options, ...part], over.signal);
      failure ||= code;
    }
    return failure;
  } finally {
    await cluster.stop();
  }
}

process.exitCode = await main(process.argv.slice(2));
