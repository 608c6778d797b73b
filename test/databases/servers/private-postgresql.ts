import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '../../system/engine/free-port.ts';
import { serverOn, superuser } from './database-server.ts';
import { installPackages } from './install-packages.ts';
import { answering, type PrivateServer } from './private-server.ts';
import { removeFolder, runAs, serverFile, serverFolder, serverUser, startServer } from './server-process.ts';

const versions = '/usr/lib/postgresql';

/** A PostgreSQL of Debian's package on a folder and a port of its own. Its data does not survive a power cut. */
export async function privatePostgresql(): Promise<PrivateServer> {
  const programs = (await newestPrograms()) ?? (await installed());
  const user = await serverUser('postgres');
  const folder = await serverFolder('zun-postgresql-', user);
  const password = await serverFile(folder, 'password', superuser.password, user);
  await runAs(user, path.join(programs, 'initdb'), [
    `--pgdata=${folder}/data`,
    `--username=${superuser.user}`,
    `--pwfile=${password}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ]);
  const port = await freePort();
  const server = serverOn('postgresql', port);
  const start = async () => {
    const started = startServer(user, path.join(programs, 'postgres'), [...options(folder), '-p', String(port)]);
    await answering(server, started.printed);
    return started;
  };
  let running = await start();
  return {
    ...server,
    // SIGINT: connections are ended, not waited for.
    async restart(meanwhile) {
      await running.stop('SIGINT');
      await meanwhile?.();
      running = await start();
    },
    async close() {
      await running.stop('SIGINT');
      await removeFolder(folder);
    },
  };
}

const options = (folder: string) => [
  ...['-D', `${folder}/data`],
  ...['-k', folder],
  ...['-h', '127.0.0.1'],
  ...['-c', 'fsync=off'],
  ...['-c', 'deadlock_timeout=200ms'],
];

/** Debian keeps each version's programs in a folder of its own, outside PATH. */
async function newestPrograms(): Promise<string | null> {
  const found = await readdir(versions).catch(() => []);
  const newest = found.toSorted((one, other) => Number(one) - Number(other)).at(-1);
  return newest === undefined ? null : path.join(versions, newest, 'bin');
}

async function installed(): Promise<string> {
  await installPackages(['postgresql']);
  const programs = await newestPrograms();
  if (programs === null) throw new Error(`${versions} is empty after the package postgresql was installed`);
  return programs;
}
