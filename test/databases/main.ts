import { spawn } from 'node:child_process';
import { privateMariadb } from './servers/private-mariadb.ts';
import { privatePostgresql } from './servers/private-postgresql.ts';
import { portVariables } from './servers/test-server.ts';

/**
 * Starts a MariaDB and a PostgreSQL, runs Node's test runner beside them, with the given arguments and on the given files or all of
 * this folder, and stops them.
 */
async function main(args: string[]): Promise<number> {
  const started = performance.now();
  const servers = await Promise.all([privateMariadb(), privatePostgresql()]);
  console.log(`MariaDB and PostgreSQL answer after ${Math.round(performance.now() - started)} ms`);
  const env = { ...process.env };
  for (const server of servers) env[portVariables[server.kind]] = String(server.address('').port);
  try {
    return await new Promise<number>((resolve, reject) => {
      const runner = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--test', '--test-concurrency=3', ...args], {
        env,
        stdio: 'inherit',
      });
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => runner.kill(signal));
      runner.once('error', reject);
      runner.once('exit', (code) => resolve(code ?? 1));
    });
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}

const args = process.argv.slice(2);
const files = args.some((argument) => !argument.startsWith('-')) ? [] : ['test/databases/**/*.test.ts'];
process.exitCode = await main([...args, ...files]);
