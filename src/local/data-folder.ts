import { chmod, mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const lockName = 'lock';
const ownerName = 'lock.pid';
/** The probe is larger than what the first start writes. */
const probeBytes = 1024 * 1024;

/** The folder that programs of this machine keep everything in; held until it is released or the process ends, however it ends. */
export interface DataFolder {
  /** Absolute. */
  path: string;
  release(): Promise<void>;
}

/** Why the data folder cannot be used, in words for the person who starts the program. */
export class DataFolderError extends Error {
  override name = 'DataFolderError';
}

/** `alone` as `standalone` is, or `shared` by programs of their own; never both at a time. */
export type FolderUse = 'alone' | 'shared';

/**
 * Makes the folder where there is none (mode 0700), makes sure that nobody else uses it, or only those who share it, and that it can be
 * written. Throws `DataFolderError`.
 */
export async function openDataFolder(name: string, use: FolderUse = 'alone'): Promise<DataFolder> {
  const folder = path.resolve(name);
  try {
    await makeFolder(folder);
    await refuseForeignFolder(folder);
    await closeToOthers(folder, use);
    const lock = await takeLock(folder, use);
    try {
      await probe(folder);
      if (use === 'alone') await writeFile(path.join(folder, ownerName), `${process.pid}\n`, { mode: 0o600 });
    } catch (error) {
      lock.close();
      throw error;
    }
    return {
      path: folder,
      release: async () => {
        if (use === 'alone') await rm(path.join(folder, ownerName), { force: true });
        lock.close();
      },
    };
  } catch (error) {
    throw explain(folder, error);
  }
}

/** Not mkdir's own `recursive`: on a read-only file system that fails with ENOENT, which hides the reason. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (code !== 'ENOENT') throw error;
    await makeFolder(path.dirname(folder));
    await mkdir(folder, { mode: 0o700 });
  }
}

/** A volume that a cluster mounts for programs of their own belongs to root; who else reaches it is the cluster's to say. */
async function closeToOthers(folder: string, use: FolderUse): Promise<void> {
  await chmod(folder, 0o700).catch((error: NodeJS.ErrnoException) => {
    if (use !== 'shared' || error.code !== 'EPERM') throw error;
  });
}

/** A new folder may hold a file system's own, and what an operator writes before the first start. */
const ownFiles = ['lost+found', 'zun.yaml', 'policy.yaml', 'identity.json'];

/** A folder with other people's files, such as a home folder named by mistake, is not taken over. */
async function refuseForeignFolder(folder: string): Promise<void> {
  const files = await readdir(folder);
  if (files.includes(lockName) || files.every((file) => ownFiles.includes(file))) return;
  throw new DataFolderError(`the data folder ${folder} holds other files; name an empty or a new folder`);
}

/**
 * A lock of the kernel, taken through SQLite because Node offers none itself: it ends with the process, also after kill -9,
 * and counts between containers that share the folder, where process ids mean nothing. A transaction that reads shares it.
 */
async function takeLock(folder: string, use: FolderUse): Promise<DatabaseSync> {
  const file = path.join(folder, lockName);
  // Made here first for its mode, and for an error with a code: SQLite's would not tell a full disk from a missing permission.
  await (await open(file, 'a', 0o600)).close();
  const lock = new DatabaseSync(file);
  try {
    lock.exec(use === 'alone' ? 'BEGIN EXCLUSIVE' : 'BEGIN');
    // A transaction that only began holds nothing yet.
    if (use === 'shared') lock.prepare('SELECT count(*) FROM sqlite_master').get();
    return lock;
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error;
    const owner = await readFile(path.join(folder, ownerName), 'utf8').catch(() => '');
    const who = owner.trim() === '' ? 'other programs' : `process ${owner.trim()}`;
    throw new DataFolderError(`the data folder ${folder} is in use by ${who}; stop that, or name another folder with ZUN_DATA`);
  }
}

const sqliteBusy = 5;

async function probe(folder: string): Promise<void> {
  const file = path.join(folder, `.probe-${process.pid}`);
  try {
    const handle = await open(file, 'w', 0o600);
    try {
      await handle.writeFile(Buffer.alloc(probeBytes, 1));
      await handle.sync();
    } finally {
      await handle.close();
    }
  } finally {
    await rm(file, { force: true });
  }
}

const reasons: Record<string, string> = {
  ENOSPC: 'its disk is full: free some space',
  EDQUOT: 'your disk quota is used up: free some space',
  EROFS: 'its file system is read-only: name a folder that can be written with ZUN_DATA',
  EACCES: 'this user may not write there: change its owner, or name another folder with ZUN_DATA',
  EPERM: 'this user may not write there: change its owner, or name another folder with ZUN_DATA',
  ENOTDIR: 'a part of that path is a file: name another folder with ZUN_DATA',
  EEXIST: 'there is a file of that name: name another folder with ZUN_DATA',
  EIO: 'its disk reports errors',
};

function explain(folder: string, error: unknown): DataFolderError {
  if (error instanceof DataFolderError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new DataFolderError(`the data folder ${folder} cannot be used: ${reasons[code] ?? message}`, { cause: error });
}
