import { isPythonDict, PythonFloat, type PythonValue } from './python-value.ts';

export type PlainJson = null | boolean | number | string | PlainJson[] | { [key: string]: PlainJson };

/** The value with ordinary numbers only, for code that doesn't tell `1.0` from `1`. Integers beyond 2^53 lose digits. */
export function plainJson(value: PythonValue): PlainJson {
  if (value instanceof PythonFloat) {
    return value.value;
  }
  if (typeof value === 'bigint') {
    return Number(value);
  }
  if (Array.isArray(value)) {
    return value.map(plainJson);
  }
  if (isPythonDict(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainJson(member)]));
  }
  return value;
}
