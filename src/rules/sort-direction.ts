import { invalidValue } from '../errors/catalogue.ts';
import { pythonStr } from '../validation/python-repr.ts';

/** `asc` or `desc`, exactly. Throws InvalidValue (400). Origin: zun/api/utils.py, validate_sort_dir. */
export function sortDirection(direction: string | null): 'asc' | 'desc' {
  if (direction !== 'asc' && direction !== 'desc') {
    throw invalidValue(`Invalid sort direction: ${pythonStr(direction)}. Acceptable values are 'asc' or 'desc'`);
  }
  return direction;
}
