import type { Page } from '../db/page.ts';
import { invalidValue } from '../errors/catalogue.ts';
import { listLimit } from '../rules/list-limit.ts';
import { sortDirection } from '../rules/sort-direction.ts';
import { requireSortKey } from './require-sort-key.ts';

/** What a list operation is asked for, before its marker is looked up. */
export interface ListPage {
  page: Page;
  /** The ident of the last row of the page before; `null` = from the beginning. */
  marker: string | null;
}

export interface ListPageOptions {
  /** `[api]/max_limit`: the size of a page when the client names none, and its largest. */
  maxLimit: number;
  defaultSortKey: string;
  /** Absent = the caller asks `requireSortKey` in its own time. */
  sortKeys?: ReadonlySet<string>;
}

/**
 * Reads `limit`, `sort_key`, `sort_dir` and `marker`. One given twice is refused (400); the original crashes there.
 * Origin: zun/api/controllers/v1 (the `_get_…_collection` of each), zun/db/sqlalchemy/api.py (_paginate_query).
 */
export function listPage(query: Record<string, string | string[]>, options: ListPageOptions): ListPage {
  const sortKey = single(query, 'sort_key') ?? options.defaultSortKey;
  const page: Page = {
    limit: listLimit(single(query, 'limit'), options.maxLimit),
    sortDirection: sortDirection(single(query, 'sort_dir') ?? 'asc'),
    sortKey,
  };
  if (options.sortKeys) requireSortKey(sortKey, options.sortKeys);
  return { page, marker: single(query, 'marker') || null };
}

function single(query: Record<string, string | string[]>, name: string): string | undefined {
  const value = query[name];
  if (Array.isArray(value)) throw invalidValue(`Parameter ${name} is given more than once`);
  return value;
}
