import { PythonFloat, type PythonValue } from './python-value.ts';

/** What Python's `str.isprintable` refuses: these are escaped. The space is the one separator that is printable. */
const UNPRINTABLE = /[\p{C}\p{Z}]/u;

const SHORT_ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A value as Python's `repr()` prints it: `None`, `True`, `16.0`, `'it'`, `"it's"`, `{'a': [1]}`. */
export function pythonRepr(value: PythonValue): string {
  if (value === null) {
    return 'None';
  }
  switch (typeof value) {
    case 'boolean':
      return value ? 'True' : 'False';
    case 'string':
      return stringRepr(value);
    case 'bigint':
      return value.toString();
    case 'number':
      return Number.isInteger(value) ? BigInt(value).toString() : floatRepr(value);
  }
  if (value instanceof PythonFloat) {
    return floatRepr(value.value);
  }
  if (Array.isArray(value)) {
    return `[${value.map(pythonRepr).join(', ')}]`;
  }
  const members = Object.entries(value).map(([key, member]) => `${stringRepr(key)}: ${pythonRepr(member)}`);
  return `{${members.join(', ')}}`;
}

/** A value as Python's `str()` prints it: a string bare, anything else as `repr()`. */
export function pythonStr(value: PythonValue): string {
  return typeof value === 'string' ? value : pythonRepr(value);
}

function stringRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = quote;
  for (const char of text) {
    out += escaped(char, quote);
  }
  return out + quote;
}

function escaped(char: string, quote: string): string {
  if (char === quote) {
    return `\\${char}`;
  }
  const short = SHORT_ESCAPES[char];
  if (short !== undefined) {
    return short;
  }
  if (char === ' ' || !UNPRINTABLE.test(char)) {
    return char;
  }
  const code = char.codePointAt(0) ?? 0;
  if (code <= 0xff) {
    return `\\x${code.toString(16).padStart(2, '0')}`;
  }
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
}

/** Python and JavaScript find the same shortest digits; they differ in when the exponent form begins and in its look. */
function floatRepr(value: number): string {
  if (!Number.isFinite(value)) {
    return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  }
  if (value === 0) {
    return Object.is(value, -0) ? '-0.0' : '0.0';
  }
  const sign = value < 0 ? '-' : '';
  const [mantissa = '', power = '0'] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
    return `${sign}${digits.slice(0, 1)}${fraction}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  if (exponent < 0) {
    return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  }
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}
