import { access, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { ContainerImage } from '../../../src/local/busybox-image/container-image.ts';
import type { ImageFile } from '../../../tools/image/image-file.ts';
import { libraryFiles } from '../../../tools/image/node-files.ts';
import { imageUser, systemFiles } from '../../../tools/image/system-files.ts';
import { imageOf } from '../../../tools/image/zun-image.ts';
import { installPackages } from '../../databases/servers/install-packages.ts';
import { removeFolder, runAs, serverFolder, serverUser, subfolder } from '../../databases/servers/server-process.ts';

const server = '/usr/sbin/mariadbd';
const shared = '/usr/share/mysql';
const data = '/var/lib/mysql';

/** An image of Debian's MariaDB as it is on this machine, with an empty database `zun` of the user `zun`, whose password that is too. */
export async function mariadbImage(): Promise<ContainerImage> {
  await access(server).catch(() => installPackages(['mariadb-server']));
  const folder = await serverFolder('zun-mariadb-image-', await serverUser('mysql'));
  try {
    const made = await subfolder(folder, 'data', await serverUser('mysql'));
    await runAs(await serverUser('mysql'), '/usr/bin/mariadb-install-db', ['--no-defaults', `--datadir=${made}`, '--skip-test-db', small]);
    const program: ImageFile[] = [
      { path: server, mode: 0o755, content: { file: server } },
      { path: '/etc/init.sql', mode: 0o644, content: { text: init } },
      { path: '/run/mysqld', mode: 0o700, owner: imageUser, content: 'directory' },
    ];
    const files = [
      ...systemFiles,
      ...program,
      ...(await libraryFiles([server])),
      ...(await treeFiles(`${shared}/charsets`)),
      ...(await treeFiles(`${shared}/english`)),
    ];
    const home: ImageFile = { path: data, mode: 0o700, owner: imageUser, content: 'directory' };
    return await imageOf([files, [home, ...(await treeFiles(made, data, imageUser))]], {
      User: `${imageUser}:${imageUser}`,
      Entrypoint: [
        server,
        '--no-defaults',
        `--datadir=${data}`,
        '--init-file=/etc/init.sql',
        '--skip-name-resolve',
        '--skip-log-bin',
        ...characters,
        small,
      ],
    });
  } finally {
    await removeFolder(folder);
  }
}

const init = `CREATE DATABASE IF NOT EXISTS zun;
CREATE USER IF NOT EXISTS 'zun'@'%' IDENTIFIED BY 'zun';
GRANT ALL ON zun.* TO 'zun'@'%';
`;

const characters = ['--character-set-server=utf8mb4', '--collation-server=utf8mb4_general_ci'];
const small = '--innodb-log-file-size=16M';

/** Files below a folder of this machine, at the same place in the image or at another. */
async function treeFiles(source: string, target = source, owner = 0): Promise<ImageFile[]> {
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries.map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const place = { path: path.join(target, path.relative(source, file)), owner };
      if (entry.isDirectory()) return { ...place, mode: 0o700 | (owner === 0 ? 0o055 : 0), content: 'directory' as const };
      return { ...place, mode: owner === 0 ? 0o644 : 0o600, content: { file: await realpath(file) } };
    }),
  );
}
