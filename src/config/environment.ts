import { homedir } from 'node:os';
import { join } from 'node:path';

/** The only reader of `process.env`. Empty values count as absent. */
export interface Environment {
  /** `ZUN_DATA`: the data folder of `standalone`. */
  dataFolder: string;
  /** `ZUN_PORT`: the API; identity is on the next port, consoles on the one after. */
  port: number;
  /** `ZUN_ADMIN_PORT`: health and metrics; the third port after the API's unless said. */
  adminPort: number;
  /** `ZUN_HOST`: the address to listen on. */
  host: string;
  /** `ZUN_ENGINE`: `any` engine that is found, a `private` Podman, or `memory` (nothing real runs). */
  engine: 'any' | 'private' | 'memory';
  /** `ZUN_DEFAULT_REGISTRY`: put before image names without a domain. */
  defaultRegistry: string;
  /** `ZUN_LOG`: least level that is logged. */
  logLevel: string;
  /** `ZUN_TRACES`: `on` sends traces with OpenTelemetry's SDK. */
  traces: boolean;
  dockerHost: string | null;
  runtimeFolder: string | null;
  /** For the programs that `standalone` starts. */
  all: Record<string, string | undefined>;
}

/** Reads the environment of the process. Throws with the name, the value and the rule for a value that cannot be used. */
export function readEnvironment(all: Record<string, string | undefined> = process.env): Environment {
  const value = (name: string) => (all[name] === undefined || all[name] === '' ? null : all[name]);
  const port = portOf(value('ZUN_PORT'));
  return {
    dataFolder: value('ZUN_DATA') ?? join(homedir(), '.zun'),
    port,
    adminPort: adminPortOf(value('ZUN_ADMIN_PORT'), port),
    host: value('ZUN_HOST') ?? '127.0.0.1',
    engine: engineOf(value('ZUN_ENGINE')),
    defaultRegistry: value('ZUN_DEFAULT_REGISTRY') ?? '',
    logLevel: levelOf(value('ZUN_LOG')),
    traces: switchOf('ZUN_TRACES', value('ZUN_TRACES')),
    dockerHost: value('DOCKER_HOST'),
    runtimeFolder: value('XDG_RUNTIME_DIR'),
    all,
  };
}

function portOf(text: string | null): number {
  if (text === null) return 9517;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_532)
    throw new Error(`ZUN_PORT is '${text}': a port from 1 to 65532 is wanted, since three more follow it.`);
  return port;
}

function adminPortOf(text: string | null, apiPort: number): number {
  if (text === null) return apiPort + 3;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) throw new Error(`ZUN_ADMIN_PORT is '${text}': a port from 1 to 65535 is wanted.`);
  return port;
}

function engineOf(text: string | null): Environment['engine'] {
  if (text === null) return 'any';
  if (text === 'any' || text === 'private' || text === 'memory') return text;
  throw new Error(`ZUN_ENGINE is '${text}': any, private or memory is wanted.`);
}

function switchOf(name: string, text: string | null): boolean {
  if (text === null || text === 'off') return false;
  if (text === 'on') return true;
  throw new Error(`${name} is '${text}': on or off is wanted.`);
}

function levelOf(text: string | null): string {
  const levels = ['debug', 'info', 'warn', 'error', 'silent'];
  if (text === null) return 'warn';
  if (levels.includes(text)) return text;
  throw new Error(`ZUN_LOG is '${text}': one of ${levels.join(', ')} is wanted.`);
}
