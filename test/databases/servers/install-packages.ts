import { access, chmod, rm, writeFile } from 'node:fs/promises';
import { runCommandWell } from '../../system/run-command.ts';

const policyFile = '/usr/sbin/policy-rc.d';

/** Installs Debian packages of servers without letting them start: tests start private ones. Needs root. */
export async function installPackages(names: string[]): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error(`these packages are missing: apt-get install ${names.join(' ')}`);
  const policyThere = await access(policyFile).then(
    () => true,
    () => false,
  );
  if (!policyThere) {
    await writeFile(policyFile, '#!/bin/sh\nexit 101\n');
    await chmod(policyFile, 0o755);
  }
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await runCommandWell('apt-get', ['-qq', 'update'], { env });
    await runCommandWell('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', ...names], { env });
  } finally {
    if (!policyThere) await rm(policyFile);
  }
}
