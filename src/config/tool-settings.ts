import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type OsloFile, osloValue, readOsloFile } from './oslo-file.ts';
import { parseSettings } from './parse-settings.ts';
import { programConfigFile } from './program-settings.ts';
import { defaultSettings } from './settings.ts';

/** What the tools for operators need to know. */
export interface ToolSettings {
  /** A database URL as in the original's `[database]/connection`; `null` = nobody says. */
  connection: string | null;
  /** `[DEFAULT]/auth_encryption_key`. */
  authEncryptionKey: string | null;
  /** Overrides of the default rules; need not exist. */
  policyFile: string;
}

const originalConfigFile = '/etc/zun/zun.conf';
const defaultPolicyFile = '/etc/zun/policy.yaml';

/**
 * From the command line (`--database`, `--config-file`), else the environment (`ZUN_DATABASE`, `ZUN_AUTH_ENCRYPTION_KEY`), else a
 * configuration file: the one that `--config-file` or `ZUN_CONFIG` names, or `zun.yaml`, or the original's `zun.conf` of `/etc/zun`. Throws
 * for a file that was named and cannot be read, and a `ConfigurationError` for one that cannot be used.
 */
export function readToolSettings(
  options: { database?: string | undefined; configFile?: string | undefined },
  environment: Record<string, string | undefined> = process.env,
): ToolSettings {
  const file = settingsOf(options.configFile ?? (environment.ZUN_CONFIG || usualFile()));
  return {
    ...file,
    connection: options.database ?? (environment.ZUN_DATABASE || file.connection),
    authEncryptionKey: environment.ZUN_AUTH_ENCRYPTION_KEY ?? file.authEncryptionKey,
  };
}

const usualFile = () => [programConfigFile, originalConfigFile].find((file) => existsSync(file));

function settingsOf(file: string | undefined): ToolSettings {
  if (file === undefined) return { connection: null, authEncryptionKey: null, policyFile: defaultPolicyFile };
  const text = textOf(file);
  if (/\.ya?ml$/.test(file)) {
    const { settings } = parseSettings(text, file, defaultSettings(''));
    return {
      connection: settings.databaseUrl,
      authEncryptionKey: settings.encryptionKey,
      policyFile: join(dirname(file), 'policy.yaml'),
    };
  }
  const options = osloFile(file, text);
  return {
    connection: osloValue(options, 'database', 'connection'),
    authEncryptionKey: osloValue(options, 'DEFAULT', 'auth_encryption_key'),
    policyFile: osloValue(options, 'oslo_policy', 'policy_file') ?? defaultPolicyFile,
  };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file}: ${messageOf(error)}`, { cause: error });
  }
}

function osloFile(file: string, text: string): OsloFile {
  try {
    return readOsloFile(text);
  } catch (error) {
    throw new Error(`${file}: ${messageOf(error)}`, { cause: error });
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
