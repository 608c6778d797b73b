import { createHash } from 'node:crypto';
import { access, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { type CommandResult, runCommand, runCommandWell } from './run-command.ts';
import { testCache } from './test-cache.ts';

/** The real clients: python-zunclient and the `openstack` command. */
export interface PythonClient {
  /** The interpreter that has the clients' packages, for scripts that use zunclient or openstacksdk themselves. */
  python: string;
  /** Runs `openstack` and tells how it ended. */
  try(cloud: Cloud, ...args: string[]): Promise<CommandResult>;
  /** Runs `openstack` and returns what it printed. Throws with its error text when it fails. */
  text(cloud: Cloud, ...args: string[]): Promise<string>;
  /** As `text`, with `-f json`, parsed. Of a list it is an array of rows with the column names as keys. */
  json<Shape>(cloud: Cloud, ...args: string[]): Promise<Shape>;
}

/** Which cloud of which `clouds.yaml`. */
export interface Cloud {
  cloudsFile: string;
  /** `zun` or `zun-admin`. */
  name: string;
}

/** Installs the pinned clients once, in a cache outside the tree, and returns the ways to run them. */
export async function pythonClient(): Promise<PythonClient> {
  const bin = path.join(await installed(), 'bin');

  // Not the script `openstack`: its first line names the folder it was installed in before that was renamed.
  const attempt: PythonClient['try'] = (cloud, ...args) =>
    runCommand(path.join(bin, 'python'), ['-m', 'openstackclient.shell', '--os-cloud', cloud.name, ...args], {
      env: { ...withoutOpenstackVariables(), OS_CLIENT_CONFIG_FILE: cloud.cloudsFile },
    });

  const text: PythonClient['text'] = async (cloud, ...args) => {
    const { exitCode, stdout, stderr } = await attempt(cloud, ...args);
    if (exitCode !== 0) throw new Error(`openstack ${args.join(' ')} ended with ${exitCode}:\n${stderr || stdout}`);
    return stdout;
  };

  return {
    python: path.join(bin, 'python'),
    try: attempt,
    text,
    json: async (cloud, ...args) => JSON.parse(await text(cloud, ...args, '-f', 'json')),
  };
}

/** Made under another name and then renamed, so that a folder with the right name is whole, also when two tests make it at once. */
async function installed(): Promise<string> {
  const requirements = path.join(import.meta.dirname, 'python-client-requirements.txt');
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 12);
  const cache = await testCache();
  const folder = path.join(cache, `client-${digest}`);
  if (await exists(folder)) return folder;
  const part = await mkdtemp(path.join(cache, 'client-part-'));
  try {
    await runCommandWell('python3', ['-m', 'venv', part]);
    await runCommandWell(path.join(part, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--requirement', requirements]);
    await rename(part, folder).catch(async (error: unknown) => {
      if (!(await exists(folder))) throw error;
    });
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  return folder;
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

/** The cloud of a developer's shell must not leak into a test. */
function withoutOpenstackVariables(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('OS_')));
}
