import path from 'node:path';
import { pythonEnvironment } from './python-environment.ts';
import { type CommandResult, runCommand } from './run-command.ts';

const requirements = path.join(import.meta.dirname, 'python-client-requirements.txt');

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
  const bin = path.join(await pythonEnvironment('client', requirements), 'bin');

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

/** The cloud of a developer's shell must not leak into a test. */
function withoutOpenstackVariables(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('OS_')));
}
