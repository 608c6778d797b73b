import type { Fernet } from '../../crypto/fernet.ts';
import type { Database } from '../../db/database.ts';
import type { RegistryCredentials } from '../../runtime/image-store.ts';
import { registryById } from './registry-store.ts';

/**
 * Reads a registry row's domain and login for a pull; `null` when the row is gone, and `credentials: null` when it has no user.
 * Throws InvalidEncryptionKey (500) for a password under another key.
 */
export function registryCredentials(
  database: Database,
  fernet: Fernet,
): (registryId: number) => Promise<{ domain: string; credentials: RegistryCredentials | null } | null> {
  return async (registryId) => {
    const row = await registryById(database.queries, registryId);
    if (!row) return null;
    const { domain, username, password } = row;
    if (username === null) return { domain, credentials: null };
    return { domain, credentials: { username, password: password === null ? '' : fernet.decrypt(password) } };
  };
}
