export interface CollectionPage {
  /** The uuids on this page, in order. */
  uuids: readonly string[];
  limit: number | null;
  /** `http://host:9517`. */
  hostUrl: string;
  /** The collection's path after `/v1/`. */
  resource: string;
  /** Parameters of this request that the next one repeats (`sort_key`, `sort_dir`), in order. */
  parameters?: Record<string, string>;
}

/** The link to the next page; null when this one is not full. Origin: zun/api/controllers/v1/collection.py, get_next. */
export function nextLink(page: CollectionPage): string | null {
  const marker = page.uuids.at(-1);
  if (marker === undefined || page.limit !== page.uuids.length) {
    return null;
  }
  const query = new URLSearchParams({ ...page.parameters, limit: String(page.limit), marker });
  return `${page.hostUrl}/v1/${page.resource}?${query}`;
}
