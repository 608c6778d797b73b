import { schemaValidationError } from '../../errors/catalogue.ts';

/**
 * A text parameter that an operation cannot do without and that no schema of the contract asks for. Throws
 * SchemaValidationError (400) in a schema's words; the original answers 500.
 */
export function requiredText(params: Record<string, unknown>, name: string): string {
  const value = params[name];
  if (value === undefined) throw schemaValidationError(`'${name}' is a required property`);
  if (typeof value !== 'string') throw schemaValidationError(`Invalid input for field '${name}'. It is not of type 'string'.`);
  return value;
}
