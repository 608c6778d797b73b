import type { RequestSchemas } from '../../validation/compile-schemas.ts';
import type { PipelineStep } from './exchange.ts';

/** Checks the query string against the operation's schema. */
export function querySchemaStep(validator: RequestSchemas): PipelineStep {
  return (exchange) => {
    const schema = exchange.endpoint?.row.query_schema;
    if (schema) validator.validateQuery(schema, exchange.query);
    return undefined;
  };
}
