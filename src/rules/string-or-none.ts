/** Absent, null and the word `None`, which clients send in queries, are null. Origin: zun/api/utils.py, string_or_none. */
export function stringOrNone(value: string | null | undefined): string | null {
  return value === undefined || value === 'None' ? null : value;
}
