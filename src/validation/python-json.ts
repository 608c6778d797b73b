import { PythonFloat, type PythonValue } from './python-value.ts';

/** Text that may hold a number which a JavaScript number would not show as Python does. */
const ODD_NUMBER = /\d[.eE]|\d{16}/;

/**
 * Reads JSON as Python does: `1.0` stays a float, integers beyond 2^53 keep their digits.
 * Throws SyntaxError on text that is no JSON (`NaN` and `Infinity`, which Python takes, included).
 */
export function parsePythonJson(text: string): PythonValue {
  if (!ODD_NUMBER.test(text)) {
    return JSON.parse(text) as PythonValue;
  }
  return JSON.parse(text, (_key: string, value: unknown, context?: { source?: string }) =>
    numberAsWritten(value, context?.source),
  ) as PythonValue;
}

function numberAsWritten(value: unknown, source: string | undefined): unknown {
  if (typeof value !== 'number' || source === undefined) {
    return value;
  }
  if (/[.eE]/.test(source)) {
    return Number.isInteger(value) || !Number.isFinite(value) ? new PythonFloat(value) : value;
  }
  return Number.isSafeInteger(value) ? value : BigInt(source);
}
