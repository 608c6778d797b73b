import type { PythonValue } from '../validation/python-value.ts';
import { booleanFromString } from './boolean-from-string.ts';

/**
 * Whether a list is asked for all projects. Absent, empty and 0 mean no. Throws InvalidValue (400).
 * Origin: zun/common/utils.py, is_all_projects.
 */
export function isAllProjects(value: PythonValue | undefined): boolean {
  return value ? booleanFromString(value, 'all_projects') : false;
}
