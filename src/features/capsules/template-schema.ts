import { schemaValidationError } from '../../errors/catalogue.ts';
import { compileSchema } from '../../validation/compile-schema.ts';
import { type ContractSchemas, schemaPart } from '../../validation/contract-schemas.ts';
import { parsePythonJson } from '../../validation/python-json.ts';
import { type SchemaLimits, withLimits } from '../../validation/schema-limits.ts';
import { failureDetail } from '../../validation/validation-failure.ts';

/**
 * Makes the check of a template that came as JSON text: the schema of requests lets any text through, so the template's own is applied
 * once it is read. The check throws SchemaValidationError (400).
 * Origin: zun/api/controllers/v1/capsules.py, check_capsule_template.
 */
export function capsuleTemplateCheck({ parameterTypes }: ContractSchemas, limits: SchemaLimits): (text: string) => void {
  const template = schemaPart(parameterTypes.capsule_template, 'capsule_template');
  const check = compileSchema(withLimits(template, parameterTypes, limits));
  return (text) => {
    const failure = check(parsePythonJson(text));
    if (failure) throw schemaValidationError(failureDetail(failure, 'body'));
  };
}
