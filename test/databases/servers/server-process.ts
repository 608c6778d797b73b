import { type ChildProcess, spawn } from 'node:child_process';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommandWell } from '../../system/run-command.ts';

/** Who a server runs as: databases refuse root, so root hands over to the packages' own user. */
export interface ServerUser {
  uid?: number;
  gid?: number;
}

export async function serverUser(name: string): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return {};
  const id = async (flag: string) => Number((await runCommandWell('id', [flag, name])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

/** A private folder that the server's user owns. */
export async function serverFolder(prefix: string, user: ServerUser): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), prefix));
  await give(folder, user);
  return folder;
}

export async function subfolder(folder: string, name: string, user: ServerUser): Promise<string> {
  const made = path.join(folder, name);
  await mkdir(made);
  await give(made, user);
  return made;
}

export async function serverFile(folder: string, name: string, text: string, user: ServerUser): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  await give(file, user);
  return file;
}

/** Runs a program to its end as the server's user. Throws with what it printed when it fails. */
export function runAs(user: ServerUser, file: string, args: readonly string[]): Promise<void> {
  const child = spawn(file, args, { ...user, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = outputOf(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${file} ended with ${code ?? signal}:\n${printed()}`)),
    );
  });
}

/** A running server. */
export interface ServerProcess {
  /** What it has printed, for messages. */
  printed(): string;
  /** Ends it the way its operator would. */
  stop(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a server as its user; it is ended with this process at the latest. */
export function startServer(user: ServerUser, file: string, args: readonly string[]): ServerProcess {
  const child = spawn(file, args, { ...user, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = outputOf(child);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  return {
    printed,
    async stop(signal) {
      child.kill(signal);
      await ended;
      process.off('exit', kill);
    },
  };
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

function outputOf(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      text = (text + chunk).slice(-20_000);
    });
  }
  return () => text;
}

async function give(file: string, { uid, gid }: ServerUser): Promise<void> {
  if (uid !== undefined && gid !== undefined) await chown(file, uid, gid);
}
