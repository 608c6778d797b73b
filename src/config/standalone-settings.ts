import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from './environment.ts';
import { parseSettings } from './parse-settings.ts';
import { defaultSettings, type Settings } from './settings.ts';

/** What counts in `standalone`, and where it was read. */
export interface StandaloneSettings {
  settings: Settings;
  /** The configuration file; `null` when there is none. */
  file: string | null;
}

/** The API's port, and after it identity, consoles, health. */
const portsAfter = 3;

/**
 * The environment over the configuration file over the defaults of `standalone`. `hostname` is the machine's name. Throws a
 * `ConfigurationError` for a file that cannot be used, an `Error` for one that is named and cannot be read.
 */
export function standaloneSettings({ environment, hostname }: { environment: Environment; hostname: string }): StandaloneSettings {
  const usual = join(environment.dataFolder, 'zun.yaml');
  const file = environment.configFile ?? (existsSync(usual) ? usual : null);
  const { settings, given } = parseSettings(file === null ? '' : textOf(file), file ?? usual, standaloneDefaults(hostname));
  const { api, admin, engine, log, containers } = settings;
  api.listen.host = environment.host ?? api.listen.host;
  api.listen.port = environment.port ?? api.listen.port;
  if (api.listen.port + portsAfter > 65_535)
    throw new Error(`${file}: api.port is ${api.listen.port}: a port from 1 to 65532 is wanted, since three more follow it in standalone.`);
  if (!given.has('admin.host')) admin.listen.host = api.listen.host;
  admin.listen.port = environment.adminPort ?? (given.has('admin.port') ? admin.listen.port : api.listen.port + portsAfter);
  // A search that a variable asks for is not answered by an address of the file.
  engine.address = environment.dockerHost ?? (environment.engine === null ? engine.address : null);
  engine.search = environment.engine ?? engine.search;
  settings.databaseUrl = environment.databaseUrl ?? settings.databaseUrl;
  log.level = environment.logLevel ?? log.level;
  containers.defaultRegistry = environment.defaultRegistry ?? containers.defaultRegistry;
  return { settings, file };
}

function standaloneDefaults(hostname: string): Settings {
  const settings = defaultSettings(hostname);
  // A newcomer's machine may reach no registry, and has just the images that were put there (docs/decisions).
  settings.containers.defaultImagePullPolicy = 'ifnotpresent';
  return settings;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`the configuration file cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
