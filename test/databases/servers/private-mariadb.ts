import { access } from 'node:fs/promises';
import { freePort } from '../../system/engine/free-port.ts';
import { serverOn, superuser } from './database-server.ts';
import { installPackages } from './install-packages.ts';
import { answering, type PrivateServer } from './private-server.ts';
import { removeFolder, runAs, serverFile, serverFolder, serverUser, startServer, subfolder } from './server-process.ts';

const program = '/usr/sbin/mariadbd';

/** A MariaDB of Debian's package on a folder and a port of its own. Its data does not survive a power cut. */
export async function privateMariadb(): Promise<PrivateServer> {
  await access(program).catch(() => installPackages(['mariadb-server']));
  const user = await serverUser('mysql');
  const folder = await serverFolder('zun-mariadb-', user);
  const data = await subfolder(folder, 'data', user);
  const init = await serverFile(folder, 'init.sql', grant, user);
  await runAs(user, '/usr/bin/mariadb-install-db', [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ]);
  const port = await freePort();
  const server = serverOn('mariadb', port);
  const start = async () => {
    const started = startServer(user, program, [...options(folder), `--port=${port}`, `--init-file=${init}`]);
    await answering(server, started.printed);
    return started;
  };
  let running = await start();
  return {
    ...server,
    async restart(meanwhile) {
      await running.stop('SIGTERM');
      await meanwhile?.();
      running = await start();
    },
    async close() {
      await running.stop('SIGTERM');
      await removeFolder(folder);
    },
  };
}

const grant =
  `CREATE USER IF NOT EXISTS '${superuser.user}'@'%' IDENTIFIED BY '${superuser.password}';\n` +
  `GRANT ALL ON *.* TO '${superuser.user}'@'%' WITH GRANT OPTION;\n`;

/** utf8mb4 and its collation are what the original's recorded schema was made with. */
const options = (folder: string) => [
  '--no-defaults',
  `--datadir=${folder}/data`,
  `--socket=${folder}/mariadb.sock`,
  `--pid-file=${folder}/mariadb.pid`,
  '--bind-address=127.0.0.1',
  '--character-set-server=utf8mb4',
  '--collation-server=utf8mb4_general_ci',
  '--skip-name-resolve',
  '--skip-log-bin',
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-fast-shutdown=2',
  '--innodb-buffer-pool-size=64M',
  '--innodb-log-file-size=16M',
];
