import { schemaValidationError } from '../errors/catalogue.ts';
import { compileSchema } from './compile-schema.ts';
import { type ContractSchemas, schemaPart } from './contract-schemas.ts';
import type { PythonValue } from './python-value.ts';
import { type SchemaLimits, withLimits } from './schema-limits.ts';
import { failureDetail, type SchemaCheck } from './validation-failure.ts';

/** The request schemas of the contract, by name (`containers.container_create`), ready to check values. */
export interface RequestSchemas {
  readonly names: readonly string[];
  /** Checks the members of a JSON body merged with the query parameters. Throws SchemaValidationError (400). */
  validateBody(schemaName: string, value: PythonValue): void;
  /** Checks query parameters (see mixed-params.ts). Throws SchemaValidationError (400). */
  validateQuery(schemaName: string, value: PythonValue): void;
}

/** Compiles the contract's schemas with the operator's limits. */
export function compileSchemas({ parameterTypes, schemas }: ContractSchemas, limits: SchemaLimits): RequestSchemas {
  const checks = new Map<string, SchemaCheck>();
  for (const [name, schema] of Object.entries(schemas)) {
    const body = schemaPart(schema, name);
    // quotas.common_quota and quotas.quota_resources are parts that the quota schemas share, not schemas of a request.
    if (body.type === 'object') {
      checks.set(name, compileSchema(withLimits(body, parameterTypes, limits)));
    }
  }

  const validate = (schemaName: string, value: PythonValue, source: 'body' | 'query') => {
    const check = checks.get(schemaName);
    if (!check) {
      throw new Error(`there is no request schema ${schemaName}`);
    }
    const failure = check(value);
    if (failure) {
      throw schemaValidationError(failureDetail(failure, source));
    }
  };
  return {
    names: [...checks.keys()],
    validateBody: (schemaName, value) => validate(schemaName, value, 'body'),
    validateQuery: (schemaName, value) => validate(schemaName, value, 'query'),
  };
}
