import type { RequestSchemas } from '../../validation/compile-schemas.ts';
import type { PipelineStep } from './exchange.ts';

/** Checks the merged parameters against the operation's body schema. */
export function bodySchemaStep(validator: RequestSchemas): PipelineStep {
  return (exchange) => {
    const schema = exchange.endpoint?.row.body_schema;
    if (schema) validator.validateBody(schema, exchange.checkedParams);
    return undefined;
  };
}
