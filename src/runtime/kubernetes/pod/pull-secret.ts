import type { RegistryCredentials } from '../../image-store.ts';
import type { KubeSecret } from '../kube-object.ts';
import { registryKey, repositoryKey } from './registry-key.ts';

/** Who logs in for which image. */
export interface RegistryLogin {
  reference: string;
  credentials: RegistryCredentials;
}

/**
 * The Secret with the logins for the registries of these images, without its namespace. A login is for the whole registry, or, where
 * images of one registry have different ones, for the image's repository. Pure.
 */
export function pullSecret(name: string, logins: RegistryLogin[], labels: Record<string, string>): KubeSecret {
  const auths: Record<string, unknown> = {};
  for (const { reference, credentials } of logins) {
    const sameRegistry = logins.filter((other) => registryKey(other.reference) === registryKey(reference));
    const agree = sameRegistry.every((other) => auth(other.credentials) === auth(credentials));
    auths[agree ? registryKey(reference) : repositoryKey(reference)] = { ...credentials, auth: auth(credentials) };
  }
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/dockerconfigjson',
    metadata: { name, labels },
    data: { '.dockerconfigjson': Buffer.from(JSON.stringify({ auths })).toString('base64') },
  };
}

const auth = ({ username, password }: RegistryCredentials): string => Buffer.from(`${username}:${password}`).toString('base64');
