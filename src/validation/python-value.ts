/**
 * A JSON number whose text says float but whose value a JavaScript number would show as an integer
 * (`1.0`, `1e3`, `1e400`). Python keeps the two apart: `1.0` is no `integer`, and it prints as `1.0`.
 */
export class PythonFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/**
 * A JSON value as Python reads it. A plain integral `number` (or a `bigint`) is an int, any other `number` a float,
 * `PythonFloat` a float that happens to be integral. Every plain JSON value is one already.
 */
export type PythonValue = null | boolean | number | bigint | string | PythonFloat | PythonValue[] | PythonDict;

export interface PythonDict {
  [key: string]: PythonValue;
}

/** Whether the value is a dict, i.e. a JSON object. */
export function isPythonDict(value: PythonValue): value is PythonDict {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof PythonFloat);
}
