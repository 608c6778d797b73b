import { nextLink as collectionNext } from '../rules/collection-next.ts';

export interface Link {
  href: string;
  rel: string;
}

/** `self` and `bookmark` of a resource. Origin: zun/api/controllers/link.py. */
export function resourceLinks(baseUrl: string, collection: string, ident: string): Link[] {
  return [
    { href: `${baseUrl}/v1/${collection}/${ident}`, rel: 'self' },
    { href: `${baseUrl}/${collection}/${ident}`, rel: 'bookmark' },
  ];
}

/** The link to the page after this one, or `null` when this page is not full. */
export function nextLink(
  baseUrl: string,
  collection: string,
  page: { limit: number; sortKey: string; sortDirection: string },
  uuids: string[],
): string | null {
  const parameters = { sort_key: page.sortKey, sort_dir: page.sortDirection };
  return collectionNext({ uuids, limit: page.limit, hostUrl: baseUrl, resource: collection, parameters });
}
