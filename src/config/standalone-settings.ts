import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from './environment.ts';
import { readSettings } from './read-settings.ts';
import { defaultSettings, type Settings } from './settings.ts';

/** What counts in `standalone`, and where it was read. */
export interface StandaloneSettings {
  settings: Settings;
  /** The configuration file; `null` when there is none. */
  file: string | null;
}

/** The API's port, and after it identity, consoles, health. */
const portsAfter = 3;
const consolesAfter = 2;

/**
 * The environment over the configuration file over the defaults of `standalone`. `hostname` is the machine's name. Throws a
 * `ConfigurationError` for a file that cannot be used, an `Error` for one that is named and cannot be read.
 */
export function standaloneSettings({ environment, hostname }: { environment: Environment; hostname: string }): StandaloneSettings {
  const usual = join(environment.dataFolder, 'zun.yaml');
  const file = environment.configFile ?? (existsSync(usual) ? usual : null);
  const { settings, given } = readSettings({ file, environment, defaults: standaloneDefaults(hostname) });
  const { api, admin, consoles } = settings;
  if (api.listen.port + portsAfter > 65_535)
    throw new Error(`${file}: api.port is ${api.listen.port}: a port from 1 to 65532 is wanted, since three more follow it in standalone.`);
  if (!given.has('consoles.host')) consoles.listen.host = api.listen.host;
  if (!given.has('consoles.port')) consoles.listen.port = api.listen.port + consolesAfter;
  if (!given.has('admin.host')) admin.listen.host = api.listen.host;
  if (environment.adminPort === null && !given.has('admin.port')) admin.listen.port = api.listen.port + portsAfter;
  return { settings, file };
}

function standaloneDefaults(hostname: string): Settings {
  const settings = defaultSettings(hostname);
  // A newcomer's machine may reach no registry, and has just the images that were put there (docs/decisions).
  settings.containers.defaultImagePullPolicy = 'ifnotpresent';
  return settings;
}
