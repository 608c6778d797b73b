import { invalidValue } from '../errors/catalogue.ts';
import { pythonStr } from '../validation/python-repr.ts';
import type { PythonValue } from '../validation/python-value.ts';

const TRUE_WORDS = ['1', 't', 'true', 'on', 'y', 'yes'];
const FALSE_WORDS = ['0', 'f', 'false', 'off', 'n', 'no'];

/**
 * The boolean that a parameter means, in any case and with space around it. `names` are the parameters as the message calls them
 * (`run or interactive`). Throws InvalidValue (400) for anything else.
 * Origin: oslo.utils, strutils.bool_from_string (strict), and its callers in zun/api/controllers/v1.
 */
export function booleanFromString(value: PythonValue, names: string): boolean {
  if (typeof value === 'boolean') {
    return value;
  }
  const word = pythonStr(value).trim().toLowerCase();
  if (TRUE_WORDS.includes(word)) {
    return true;
  }
  if (FALSE_WORDS.includes(word)) {
    return false;
  }
  throw invalidValue(`Valid ${names} values are: ${[...TRUE_WORDS, ...FALSE_WORDS].join(', ')}`);
}
