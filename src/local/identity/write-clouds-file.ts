import { stringify } from 'yaml';
import type { LocalDirectory } from './local-directory.ts';
import { writePrivately } from './local-secrets.ts';
import { localRegion, type ServiceUrls } from './service-catalog.ts';

/** The newest microversion, as clients are told to ask for it. */
const containerApiVersion = '1.40';

/** Writes `clouds.yaml` (mode 0600) with the clouds `zun`, the plain user, and `zun-admin`. */
export async function writeCloudsFile(file: string, directory: LocalDirectory, urls: ServiceUrls): Promise<void> {
  const clouds = Object.fromEntries(
    directory.users.map((user) => [
      user.name === 'admin' ? 'zun-admin' : 'zun',
      {
        auth: {
          auth_url: urls.identity,
          username: user.name,
          password: user.password,
          project_name: directory.projects.find((project) => project.id === user.defaultProjectId)?.name,
          user_domain_name: directory.domain.name,
          project_domain_name: directory.domain.name,
        },
        region_name: localRegion,
        interface: 'public',
        identity_api_version: '3',
        container_api_version: containerApiVersion,
      },
    ]),
  );
  await writePrivately(file, stringify({ clouds }, { defaultStringType: 'QUOTE_SINGLE', defaultKeyType: 'PLAIN' }));
}
