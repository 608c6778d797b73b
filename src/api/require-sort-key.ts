import { invalidParameterValue } from '../errors/catalogue.ts';

/** Refuses (400) what a list cannot be sorted by. Origin: zun/db/sqlalchemy/api.py (_paginate_query). */
export function requireSortKey(sortKey: string, sortKeys: ReadonlySet<string>): void {
  if (!sortKeys.has(sortKey)) throw invalidParameterValue(`The sort_key value "${sortKey}" is an invalid field for sorting`);
}
