import type { SchemaValidator } from '../schema-validator.ts';
import type { PipelineStep } from './exchange.ts';

/** Checks the merged parameters against the operation's body schema. */
export function bodySchemaStep(validator: SchemaValidator): PipelineStep {
  return (exchange) => {
    const schema = exchange.endpoint?.row.body_schema;
    if (schema) validator.validateBody(schema, exchange.params);
    return undefined;
  };
}
