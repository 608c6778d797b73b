import { randomBytes } from 'node:crypto';
import { chmod, link, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Ids } from '../../telemetry/ids.ts';

/** What the local identity keeps: made at the first start, the same ever after, so that tokens and rows outlive a restart. */
export interface LocalSecrets {
  /** 64 hexadecimal digits; signs the tokens. */
  signingKey: string;
  users: Record<'admin' | 'demo', { id: string; password: string }>;
  projects: Record<'admin' | 'demo', { id: string }>;
  /** Further plain users by name, each with a project of the same name. None at the first start: whoever wants one writes it here. */
  others?: Record<string, { id: string; password: string; projectId: string }>;
}

/**
 * Reads `identity.json` of the data folder, or makes it with random secrets; its mode is 0600, unless others keep it (a mounted Secret).
 * Throws with the file's name when it is there and holds something else.
 */
export async function openSecrets(dataFolder: string, ids: Ids): Promise<LocalSecrets> {
  const file = path.join(dataFolder, 'identity.json');
  const text = await madeOnce(file, ids, () => `${JSON.stringify(newSecrets(ids), null, 2)}\n`);
  await chmod(file, 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EROFS' && error.code !== 'EPERM') throw error;
  });
  return parse(file, text);
}

/**
 * What a private file holds, made if it is not there: once, whichever of several programs comes first. `make` is called then.
 */
export async function madeOnce(file: string, ids: Ids, make: () => string): Promise<string> {
  const read = () => readFile(file, 'utf8');
  try {
    return await read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const own = `${file}.${ids.uuid()}`;
  await writePrivately(own, make());
  try {
    await link(own, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(own);
  }
  return read();
}

/** Replaces the file as a whole; nobody but the owner ever reads it, not even halfway. */
export async function writePrivately(file: string, content: string): Promise<void> {
  // Of its own: other programs may write the same file at the same time.
  const part = `${file}.${randomBytes(6).toString('hex')}.new`;
  const handle = await open(part, 'w', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(part, file);
}

function newSecrets(ids: Ids): LocalSecrets {
  const digits = () => ids.uuid().replaceAll('-', '');
  const user = () => ({ id: digits(), password: digits() });
  return {
    signingKey: digits() + digits(),
    users: { admin: user(), demo: user() },
    projects: { admin: { id: digits() }, demo: { id: digits() } },
  };
}

function parse(file: string, text: string): LocalSecrets {
  try {
    const secrets: LocalSecrets = JSON.parse(text);
    const { users, projects } = secrets;
    const words = [
      secrets.signingKey,
      projects.admin.id,
      projects.demo.id,
      ...[users.admin, users.demo].flatMap((user) => [user.id, user.password]),
      ...Object.values(secrets.others ?? {}).flatMap((user) => [user.id, user.password, user.projectId]),
    ];
    if (words.every((word) => typeof word === 'string' && word.length >= 32)) return secrets;
  } catch {
    // Told below: which part is wrong does not matter to the reader.
  }
  throw new Error(`${file} does not hold the secrets of the local identity; restore it, or delete it to get new users and passwords`);
}
