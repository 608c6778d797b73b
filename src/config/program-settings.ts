import { existsSync } from 'node:fs';
import type { Environment } from './environment.ts';
import { readSettings } from './read-settings.ts';
import { defaultSettings, type Settings } from './settings.ts';

/** What counts in programs of their own, and where it was read. */
export interface ProgramSettings {
  settings: Settings;
  /** The configuration file; `null` when there is none. */
  file: string | null;
}

/** Where the configuration file of programs of their own is, unless `ZUN_CONFIG` says otherwise. */
export const programConfigFile = '/etc/zun/zun.yaml';

/**
 * What counts in `zun-api`, `zun-compute` and their like, which read one file: the environment over the file over the defaults. Each
 * ignores what is another's. Throws a `ConfigurationError` for a file that cannot be used, an `Error` for one that is named and cannot be
 * read, and for settings that only `standalone` can have. `readsPasswords`: whether the program needs the key of registries' passwords.
 */
export function programSettings({
  environment,
  hostname,
  readsPasswords = true,
}: {
  environment: Environment;
  hostname: string;
  readsPasswords?: boolean;
}): ProgramSettings {
  const file = environment.configFile ?? (existsSync(programConfigFile) ? programConfigFile : null);
  const { settings } = readSettings({ file, environment, defaults: defaultSettings(hostname) });
  const { runtime, engine, encryptionKey } = settings;
  if (runtime.kind === 'docker' && engine.search !== 'any')
    throw new Error(
      `engine.search or ZUN_ENGINE is '${engine.search}': that is for standalone, whose one process has the engine to itself.`,
    );
  if (runtime.kind === 'kubernetes' && readsPasswords && encryptionKey === null)
    throw new Error('encryptionKey is not set: programs on several machines have to share one (at least 32 ASCII characters).');
  return { settings, file };
}
