import type { SchemaValidator } from '../schema-validator.ts';
import type { PipelineStep } from './exchange.ts';

/** Checks the query string against the operation's schema. */
export function querySchemaStep(validator: SchemaValidator): PipelineStep {
  return (exchange) => {
    const schema = exchange.endpoint?.row.query_schema;
    if (schema) validator.validateQuery(schema, exchange.query);
    return undefined;
  };
}
