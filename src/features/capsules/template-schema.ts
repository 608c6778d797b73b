import { schemaValidationError } from '../../errors/catalogue.ts';
import { compileSchema } from '../../validation/compile-schema.ts';
import { parsePythonJson } from '../../validation/python-json.ts';
import { isPythonDict, type PythonDict, type PythonValue } from '../../validation/python-value.ts';
import { type SchemaLimits, withLimits } from '../../validation/schema-limits.ts';
import { failureDetail } from '../../validation/validation-failure.ts';

/**
 * Makes the check of a template that came as JSON text: the schema of requests lets any text through, so the template's own is applied
 * once it is read. Takes the text of `contract/schemas.json`; the check throws SchemaValidationError (400).
 * Origin: zun/api/controllers/v1/capsules.py, check_capsule_template.
 */
export function capsuleTemplateCheck(contractText: string, limits: SchemaLimits): (text: string) => void {
  const types = dict(dict(parsePythonJson(contractText)).parameter_types);
  const check = compileSchema(withLimits(dict(types.capsule_template), types, limits));
  return (text) => {
    const failure = check(parsePythonJson(text));
    if (failure) throw schemaValidationError(failureDetail(failure, 'body'));
  };
}

function dict(value: PythonValue | undefined): PythonDict {
  if (value === undefined || !isPythonDict(value)) throw new Error('the contract has no parameter type capsule_template');
  return value;
}
