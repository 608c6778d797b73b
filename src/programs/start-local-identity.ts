import { join } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { identityServer } from '../local/identity/identity-server.ts';
import { LocalIdentity } from '../local/identity/local-identity.ts';
import { openSecrets } from '../local/identity/local-secrets.ts';
import { writeCloudsFile } from '../local/identity/write-clouds-file.ts';
import { listen } from './listen.ts';
import type { ProgramBase } from './program-base.ts';

/** The identity of the data folder, served on the port after the API's. */
export interface ServedIdentity {
  identity: LocalIdentity;
  /** For `WWW-Authenticate`. */
  identityUrl: string;
  /** `http://127.0.0.1:9517`: the API, from this machine. */
  apiUrl: string;
  /** Writes `clouds.yaml` of the data folder; answers its path. */
  writeClouds(): Promise<string>;
}

/** Serves Keystone's part where there is none. `hint`: what to do about a port in use. Throws in words for the operator. */
export async function startLocalIdentity(base: ProgramBase, hint: string): Promise<ServedIdentity> {
  const { ids, clock, settings } = base;
  const folder = await base.dataFolder();
  const { host, port } = settings.api.listen;
  const urls = urlsOf(settings);
  const identity = new LocalIdentity(await openSecrets(folder, ids), clock, ids);
  await listen(base, identityServer(identity, urls), { host, port: port + 1, what: 'identity', hint });
  const cloudsFile = join(folder, 'clouds.yaml');
  return {
    identity,
    identityUrl: urls.identity.replace(/\/v3$/, ''),
    apiUrl: `http://${nearName(host)}:${port}`,
    async writeClouds() {
      await writeCloudsFile(cloudsFile, identity.directory, urls);
      return cloudsFile;
    },
  };
}

function urlsOf({ api, identity }: Settings) {
  const { host, port } = api.listen;
  const base = (publicUrl: string | null, own: number) => publicUrl?.replace(/\/+$/, '') ?? `http://${nearName(host)}:${own}`;
  return { identity: `${base(identity.publicUrl, port + 1)}/v3`, container: `${base(api.publicUrl, port)}/v1` };
}

/** What listens everywhere is reached at the loopback address from here. */
const nearName = (host: string) => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host);
