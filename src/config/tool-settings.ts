import { existsSync, readFileSync } from 'node:fs';
import { type OsloFile, osloValue, readOsloFile } from './oslo-file.ts';

/** What the tools for operators need to know. */
export interface ToolSettings {
  /** A database URL as in the original's `[database]/connection`; `null` = nobody says. */
  connection: string | null;
  /** `[DEFAULT]/auth_encryption_key`. */
  authEncryptionKey: string | null;
  /** Overrides of the default rules; need not exist. */
  policyFile: string;
}

const defaultConfigFile = '/etc/zun/zun.conf';
const defaultPolicyFile = '/etc/zun/policy.yaml';

/**
 * From the command line (`--database`, `--config-file`), else the environment (`ZUN_DATABASE`, `ZUN_AUTH_ENCRYPTION_KEY`), else the
 * original's configuration file. Throws for a file that was named and cannot be read.
 */
export function readToolSettings(
  options: { database?: string | undefined; configFile?: string | undefined },
  environment: Record<string, string | undefined> = process.env,
): ToolSettings {
  const file = osloFile(options.configFile);
  return {
    connection: options.database ?? environment.ZUN_DATABASE ?? osloValue(file, 'database', 'connection'),
    authEncryptionKey: environment.ZUN_AUTH_ENCRYPTION_KEY ?? osloValue(file, 'DEFAULT', 'auth_encryption_key'),
    policyFile: osloValue(file, 'oslo_policy', 'policy_file') ?? defaultPolicyFile,
  };
}

function osloFile(named: string | undefined): OsloFile {
  if (named === undefined && !existsSync(defaultConfigFile)) return new Map();
  const path = named ?? defaultConfigFile;
  try {
    return readOsloFile(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
