import { PYTHON_SPACE } from './python-space.ts';
import { PythonFloat } from './python-value.ts';

// Space at the end is looked for from its first character on only: from each, a megabyte of it would take an hour.
const SURROUNDING_SPACE = new RegExp(`^[${PYTHON_SPACE}]+|(?<![${PYTHON_SPACE}])[${PYTHON_SPACE}]+$`, 'g');
const INTEGER = /^[+-]?\d+(?:_\d+)*$/;
const FLOAT = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/i;
const NOT_FINITE = /^([+-]?)(?:(inf|infinity)|nan)$/i;
/** Above this many digits Python's `int()` refuses and `float()` answers. */
const MAX_INTEGER_DIGITS = 4300;

/**
 * The number that Python's `int()`, or else `float()`, makes of a string; null when neither takes it. Surrounding white
 * space, single underscores between digits and the digits of every script count, as in Python.
 * Origin: zun/api/validation/validators.py, _number_from_str.
 */
export function pythonNumber(text: string): number | bigint | PythonFloat | null {
  const bare = asciiDigits(text.replace(SURROUNDING_SPACE, ''));
  const digits = bare.replaceAll('_', '');
  if (INTEGER.test(bare) && digits.length <= MAX_INTEGER_DIGITS) {
    const value = Number(digits);
    return Number.isSafeInteger(value) ? value + 0 : bigInteger(digits);
  }
  if (FLOAT.test(bare)) {
    return new PythonFloat(Number(digits));
  }
  const special = NOT_FINITE.exec(bare);
  if (!special) {
    return null;
  }
  return new PythonFloat(special[2] === undefined ? Number.NaN : special[1] === '-' ? -Infinity : Infinity);
}

function bigInteger(digits: string): bigint {
  return digits.startsWith('-') ? -BigInt(digits.slice(1)) : BigInt(digits.replace('+', ''));
}

function asciiDigits(text: string): string {
  return text.replace(/[^\p{ASCII}]/gu, (char) => (/\p{Nd}/u.test(char) ? String(digitValue(char.codePointAt(0) ?? 0)) : char));
}

/** Unicode gives every script's digits in runs of ten from zero up, so the place in the run is the value. */
function digitValue(code: number): number {
  let start = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) {
    start -= 1;
  }
  return (code - start) % 10;
}
