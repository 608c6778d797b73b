import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { madeOnce } from '../local/identity/local-secrets.ts';
import type { ProgramBase } from './program-base.ts';

/** `auth_encryption_key` of this installation: the setting, or else the data folder's, made at the first start of whichever program comes first. */
export async function encryptionKey({ settings, ids, dataFolder }: ProgramBase): Promise<string> {
  if (settings.encryptionKey !== null) return settings.encryptionKey;
  const make = () => `${randomBytes(32).toString('base64url').concat('=')}\n`;
  return (await madeOnce(join(await dataFolder(), 'encryption.key'), ids, make)).trim();
}
