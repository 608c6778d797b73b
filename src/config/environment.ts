import { homedir } from 'node:os';
import { join } from 'node:path';
import type { EngineSearch } from './settings.ts';

/** What the environment says, which wins over the configuration file; `null` = nothing. Empty values count as absent. */
export interface Environment {
  /** `ZUN_DATA`: the data folder. */
  dataFolder: string;
  /** `ZUN_CONFIG`: the configuration file, which then has to be there; else one at its usual place, if it is there. */
  configFile: string | null;
  /** `ZUN_NODE`: the name of this node, in place of the machine's. */
  node: string | null;
  /** `ZUN_ENCRYPTION_KEY`: what passwords of registries are encrypted with. */
  encryptionKey: string | null;
  /** `ZUN_DATABASE`: the database's URL. */
  databaseUrl: string | null;
  /** `ZUN_PORT`: the API; identity is on the next port, consoles on the one after. */
  port: number | null;
  /** `ZUN_ADMIN_PORT`: health and metrics. */
  adminPort: number | null;
  /** `ZUN_HOST`: the address to listen on. */
  host: string | null;
  /** `ZUN_ENGINE`: `any` engine that is found, a `private` Podman, or `memory` (nothing real runs). */
  engine: EngineSearch | null;
  /** `ZUN_DEFAULT_REGISTRY`: put before image names without a domain. */
  defaultRegistry: string | null;
  /** `ZUN_LOG`: least level that is logged. */
  logLevel: string | null;
  /** `ZUN_TRACES`: `on` sends traces with OpenTelemetry's SDK. */
  traces: boolean;
  /** `DOCKER_HOST`: the engine to use. */
  dockerHost: string | null;
  runtimeFolder: string | null;
  /** For the programs that `standalone` starts. */
  all: Record<string, string | undefined>;
}

/**
 * Reads the environment of the process, which nothing else does; `usualFolder` is the data folder that counts without `ZUN_DATA`. Throws with
 * the name, the value and the rule for a value that cannot be used.
 */
export function readEnvironment(all: Record<string, string | undefined> = process.env, usualFolder = join(homedir(), '.zun')): Environment {
  const value = (name: string) => (all[name] === undefined || all[name] === '' ? null : all[name]);
  return {
    dataFolder: value('ZUN_DATA') ?? usualFolder,
    configFile: value('ZUN_CONFIG'),
    node: nodeOf(value('ZUN_NODE')),
    encryptionKey: keyOf(value('ZUN_ENCRYPTION_KEY')),
    databaseUrl: value('ZUN_DATABASE'),
    port: portOf(value('ZUN_PORT')),
    adminPort: adminPortOf(value('ZUN_ADMIN_PORT')),
    host: value('ZUN_HOST'),
    engine: engineOf(value('ZUN_ENGINE')),
    defaultRegistry: value('ZUN_DEFAULT_REGISTRY'),
    logLevel: levelOf(value('ZUN_LOG')),
    traces: switchOf('ZUN_TRACES', value('ZUN_TRACES')),
    dockerHost: value('DOCKER_HOST'),
    runtimeFolder: value('XDG_RUNTIME_DIR'),
    all,
  };
}

/** As above, for programs of their own, which belong to nobody's home. */
export const readProgramEnvironment = (): Environment => readEnvironment(process.env, '/var/lib/zun');

function nodeOf(text: string | null): string | null {
  if (text === null || /^\S{1,255}$/.test(text)) return text;
  throw new Error(`ZUN_NODE is '${text}': a name of at most 255 characters without spaces is wanted.`);
}

function keyOf(text: string | null): string | null {
  if (text === null || /^[!-~ ]{32,}$/.test(text)) return text;
  throw new Error('ZUN_ENCRYPTION_KEY is something else than at least 32 ASCII characters.');
}

function portOf(text: string | null): number | null {
  if (text === null) return null;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_532)
    throw new Error(`ZUN_PORT is '${text}': a port from 1 to 65532 is wanted, since three more follow it.`);
  return port;
}

function adminPortOf(text: string | null): number | null {
  if (text === null) return null;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) throw new Error(`ZUN_ADMIN_PORT is '${text}': a port from 1 to 65535 is wanted.`);
  return port;
}

function engineOf(text: string | null): EngineSearch | null {
  if (text === null) return null;
  if (text === 'any' || text === 'private' || text === 'memory') return text;
  throw new Error(`ZUN_ENGINE is '${text}': any, private or memory is wanted.`);
}

function switchOf(name: string, text: string | null): boolean {
  if (text === null || text === 'off') return false;
  if (text === 'on') return true;
  throw new Error(`${name} is '${text}': on or off is wanted.`);
}

function levelOf(text: string | null): string | null {
  const levels = ['debug', 'info', 'warn', 'error', 'silent'];
  if (text === null || levels.includes(text)) return text;
  throw new Error(`ZUN_LOG is '${text}': one of ${levels.join(', ')} is wanted.`);
}
