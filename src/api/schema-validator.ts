/** Checks values against the named schemas of `contract/schemas.json`; throws `SchemaValidationError` (400) with the original's text. */
export interface SchemaValidator {
  validateBody(schemaName: string, value: unknown): void;
  validateQuery(schemaName: string, value: unknown): void;
}
