import type { RequestSchemas } from '../../validation/compile-schemas.ts';
import type { PipelineStep } from './exchange.ts';

/** Checks the merged parameters, but for those that the handler names (`run` of a create), against the operation's body schema. */
export function bodySchemaStep(validator: RequestSchemas): PipelineStep {
  return (exchange) => {
    const { body_schema: schema, handler_args: named } = exchange.endpoint?.row ?? {};
    if (!schema) return undefined;
    const checked = Object.entries(exchange.checkedParams).filter(([name]) => !named?.optional.includes(name));
    validator.validateBody(schema, Object.fromEntries(checked));
    return undefined;
  };
}
