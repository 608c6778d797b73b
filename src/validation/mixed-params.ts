/**
 * Query parameters in the order they first appear; one given more than once becomes a list. A parameter without a value
 * is the empty string. Origin: WebOb's params.mixed(), which feeds validate_query_param in zun/api/validation.
 */
export function mixedParams(search: string | URLSearchParams): Record<string, string | string[]> {
  const params = new URLSearchParams(search);
  const names = new Set(params.keys());
  return Object.fromEntries(
    [...names].map((name) => {
      const values = params.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}
