import { pythonPformat } from './python-pformat.ts';
import { pythonRepr, pythonStr } from './python-repr.ts';
import type { PythonDict, PythonValue } from './python-value.ts';

/** The first rule a value breaks: the sentence, where in the value, and where in the schema (the keyword last). */
export interface ValidationFailure {
  message: string;
  instance: PythonValue;
  path: (string | number)[];
  keyword: string;
  schema: PythonDict;
  schemaPath: (string | number)[];
}

/** Answers the first rule the value breaks, or null. */
export type SchemaCheck = (instance: PythonValue) => ValidationFailure | null;

/** jsonschema lays values out for 72 columns, then indents by four. */
const PRINT_WIDTH = 72;

/**
 * The `detail` of the answer. A failure of the whole document is one line; any other has the field, its value, the
 * sentence, and the schema and value laid out. `On instance` lacks the last step, because the original takes it
 * off the path for the first line before it prints the rest.
 * Origin: zun/api/validation/validators.py, SchemaValidator.validate; jsonschema's ValidationError text.
 */
export function failureDetail(failure: ValidationFailure, source: 'body' | 'query'): string {
  const field = failure.path.at(-1);
  if (field === undefined) {
    return failure.message;
  }
  const lead = source === 'body' ? `Invalid input for field '${field}'.Value:` : `Invalid input for query parameters '${field}'. Value:`;
  const schemaPath = indexed('schema', failure.schemaPath.slice(0, -1));
  const instancePath = indexed('instance', failure.path.slice(0, -1));
  return [
    `${lead} '${pythonStr(failure.instance)}'. ${failure.message}`,
    '',
    `Failed validating ${pythonRepr(failure.keyword)} in ${schemaPath}:`,
    block(failure.schema),
    '',
    `On ${instancePath}:`,
    block(failure.instance),
  ].join('\n');
}

function indexed(name: string, path: (string | number)[]): string {
  return name + path.map((step) => `[${pythonRepr(step)}]`).join('');
}

function block(value: PythonValue): string {
  return pythonPformat(value, PRINT_WIDTH).replace(/^/gm, '    ');
}
