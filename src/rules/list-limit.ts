import { invalidValue } from '../errors/catalogue.ts';
import { pythonNumber } from '../validation/python-number.ts';

/**
 * How many rows a list returns: what was asked for, at most `maximum`. Throws InvalidValue (400) unless it is a positive whole number.
 * Origin: zun/api/utils.py, validate_limit.
 */
export function listLimit(limit: string | number | boolean | null | undefined, maximum: number): number {
  if (limit === null || limit === undefined) {
    return maximum;
  }
  const asked = typeof limit === 'string' ? pythonNumber(limit) : Math.trunc(Number(limit));
  if ((typeof asked !== 'number' && typeof asked !== 'bigint') || asked <= 0) {
    throw invalidValue('Limit must be positive integer');
  }
  return asked < maximum ? Number(asked) : maximum;
}
