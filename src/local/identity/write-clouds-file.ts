import { stringify } from 'yaml';
import type { LocalDirectory, LocalUser } from './local-directory.ts';
import { writePrivately } from './local-secrets.ts';
import { localRegion, type ServiceUrls } from './service-catalog.ts';

/** The newest microversion, for clients that read it; zunclient's `openstack` plugin 5.5.0 does not: it asks the server for its newest. */
const containerApiVersion = '1.40';

const cloudNames: Record<string, string> = { demo: 'zun', admin: 'zun-admin' };

/** Writes `clouds.yaml` (mode 0600) with the clouds `zun`, the plain user, and `zun-admin`. */
export async function writeCloudsFile(file: string, directory: LocalDirectory, urls: ServiceUrls): Promise<void> {
  const clouds = Object.fromEntries(directory.users.map((user) => [cloudNames[user.name] ?? user.name, cloud(user, directory, urls)]));
  await writePrivately(file, stringify({ clouds }, { sortMapEntries: true, defaultStringType: 'QUOTE_SINGLE', defaultKeyType: 'PLAIN' }));
}

function cloud(user: LocalUser, { domain, projects }: LocalDirectory, urls: ServiceUrls) {
  return {
    auth: {
      auth_url: urls.identity,
      username: user.name,
      password: user.password,
      project_name: projects.find((project) => project.id === user.defaultProjectId)?.name,
      user_domain_name: domain.name,
      project_domain_name: domain.name,
    },
    region_name: localRegion,
    interface: 'public',
    identity_api_version: '3',
    container_api_version: containerApiVersion,
  };
}
