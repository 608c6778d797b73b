import { schemaValidationError } from '../errors/catalogue.ts';
import { isPythonDict, PythonFloat, type PythonValue } from './python-value.ts';

export type PlainJson = null | boolean | number | string | PlainJson[] | { [key: string]: PlainJson };

/** No request means so many; some thousands would end the stack of whoever walks through the value. */
const deepestNesting = 100;

/**
 * The value with ordinary numbers only, for code that doesn't tell `1.0` from `1`. Integers beyond 2^53 lose digits. Refuses (400) a
 * value of more than 100 levels.
 */
export function plainJson(value: PythonValue, depth = 0): PlainJson {
  if (depth > deepestNesting) throw schemaValidationError(`The body is nested more than ${deepestNesting} levels deep.`);
  if (value instanceof PythonFloat) {
    return value.value;
  }
  if (typeof value === 'bigint') {
    return Number(value);
  }
  if (Array.isArray(value)) {
    return value.map((member) => plainJson(member, depth + 1));
  }
  if (isPythonDict(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainJson(member, depth + 1)]));
  }
  return value;
}
