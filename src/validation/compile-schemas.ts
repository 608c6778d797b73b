import { schemaValidationError } from '../errors/catalogue.ts';
import { compileSchema } from './compile-schema.ts';
import { parsePythonJson } from './python-json.ts';
import { isPythonDict, type PythonDict, type PythonValue } from './python-value.ts';
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

/** Compiles the text of `contract/schemas.json` (the text, because `16.0` in it must print as `16.0`) with the operator's limits. */
export function compileSchemas(contractText: string, limits: SchemaLimits): RequestSchemas {
  const contract = section(parsePythonJson(contractText), 'the contract');
  const parameterTypes = section(contract.parameter_types ?? null, 'parameter_types');
  const schemas = section(contract.schemas ?? null, 'schemas');
  const checks = new Map<string, SchemaCheck>();
  for (const [name, schema] of Object.entries(schemas)) {
    const body = section(schema, name);
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

function section(value: PythonValue, name: string): PythonDict {
  if (!isPythonDict(value)) {
    throw new Error(`${name} is not an object`);
  }
  return value;
}
