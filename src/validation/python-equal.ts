import { isPythonDict, PythonFloat, type PythonValue } from './python-value.ts';

/**
 * Equality as Python's jsonschema decides it for `enum`: 1 equals 1.0, but True is not 1; lists and dicts member by member.
 */
export function pythonEqual(one: PythonValue, two: PythonValue): boolean {
  const left = one instanceof PythonFloat ? one.value : one;
  const right = two instanceof PythonFloat ? two.value : two;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((member, index) => pythonEqual(member, right[index] ?? null));
  }
  if (isPythonDict(left) && isPythonDict(right)) {
    const keys = Object.keys(left);
    return (
      keys.length === Object.keys(right).length &&
      keys.every((key) => Object.hasOwn(right, key) && pythonEqual(left[key] ?? null, right[key] ?? null))
    );
  }
  if (typeof left === 'bigint' && typeof right === 'number') {
    return left === BigInt(Number.isInteger(right) ? right : 0) && Number.isInteger(right);
  }
  return typeof left === 'number' && typeof right === 'bigint' ? pythonEqual(right, left) : left === right;
}
