import { readFileSync } from 'node:fs';
import type { Environment } from './environment.ts';
import { type ParsedSettings, parseSettings } from './parse-settings.ts';
import type { Settings } from './settings.ts';

/** Between two comparisons of all rows with a cluster, whose watch misses less than an engine's events do, in milliseconds. */
const clusterListInterval = 600_000;

/**
 * The environment over the configuration file over `defaults`. `file` is `null` where there is none. Throws a `ConfigurationError` for a
 * file that cannot be used, an `Error` for one that cannot be read.
 */
export function readSettings({
  file,
  environment,
  defaults,
}: {
  file: string | null;
  environment: Environment;
  defaults: Settings;
}): ParsedSettings {
  const parsed = parseSettings(file === null ? '' : textOf(file), file ?? 'no file', defaults);
  const { settings, given } = parsed;
  const { api, admin, engine, log, containers, sync, runtime } = settings;
  api.listen.host = environment.host ?? api.listen.host;
  api.listen.port = environment.port ?? api.listen.port;
  admin.listen.port = environment.adminPort ?? admin.listen.port;
  // A search that a variable asks for is not answered by an address of the file.
  engine.address = environment.dockerHost ?? (environment.engine === null ? engine.address : null);
  engine.search = environment.engine ?? engine.search;
  settings.host = environment.node ?? settings.host;
  settings.encryptionKey = environment.encryptionKey ?? settings.encryptionKey;
  settings.databaseUrl = environment.databaseUrl ?? settings.databaseUrl;
  log.level = environment.logLevel ?? log.level;
  containers.defaultRegistry = environment.defaultRegistry ?? containers.defaultRegistry;
  if (runtime.kind === 'kubernetes' && !given.has('sync.listIntervalMilliseconds')) sync.listIntervalMilliseconds = clusterListInterval;
  return parsed;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`the configuration file cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
