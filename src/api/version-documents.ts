import { maximumMinor, minimumMinor, versionText } from './api-version.ts';
import type { Operation } from './operation.ts';

const collections = [
  'services',
  'containers',
  'images',
  'networks',
  'hosts',
  'availability_zones',
  'capsules',
  'quotas',
  'quota_classes',
  'registries',
] as const;

/** `GET /`: which versions there are. python-zunclient negotiates from it. Origin: zun/api/controllers/root.py. */
export const rootDocument: Operation = {
  route: 'GET /',
  handle: ({ baseUrl }) => {
    const version = {
      id: 'v1',
      links: [{ href: `${baseUrl}/v1/`, rel: 'self' }],
      status: 'CURRENT',
      max_version: versionText(maximumMinor),
      min_version: versionText(minimumMinor),
    };
    return {
      status: 200,
      body: {
        name: 'OpenStack Zun API',
        description: 'Zun is an OpenStack project which aims to provide containers service.',
        versions: [version],
        default_version: version,
      },
    };
  },
};

/** `GET /v1`: the collections and where they are. Origin: zun/api/controllers/v1/__init__.py. */
export const versionDocument: Operation = {
  route: 'GET /v1/',
  handle: ({ baseUrl }) => {
    const links = (collection: string) => [
      { href: `${baseUrl}/v1/${collection}/`, rel: 'self' },
      { href: `${baseUrl}/${collection}/`, rel: 'bookmark' },
    ];
    return {
      status: 200,
      body: {
        id: 'v1',
        media_types: [{ base: 'application/json', type: 'application/vnd.openstack.zun.v1+json' }],
        links: [
          { href: `${baseUrl}/v1/`, rel: 'self' },
          { href: 'https://docs.openstack.org/developer/zun/dev/api-spec-v1.html', rel: 'describedby', type: 'text/html' },
        ],
        ...Object.fromEntries(collections.map((collection) => [collection, links(collection)])),
      },
    };
  },
};
