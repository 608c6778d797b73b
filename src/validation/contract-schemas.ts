import { parsePythonJson } from './python-json.ts';
import { isPythonDict, type PythonDict, type PythonValue } from './python-value.ts';

/** `contract/schemas.json`. Not changed by anybody: one reading serves all. */
export interface ContractSchemas {
  /** The types that schemas share, by name. */
  readonly parameterTypes: PythonDict;
  /** By name: `containers.container_create`. */
  readonly schemas: PythonDict;
}

/** Reads the text, and not what `JSON.parse` makes of it, because `16.0` in it must print as `16.0`. */
export function readContractSchemas(text: string): ContractSchemas {
  const contract = schemaPart(parsePythonJson(text), 'the contract');
  return {
    parameterTypes: schemaPart(contract.parameter_types, 'parameter_types'),
    schemas: schemaPart(contract.schemas, 'schemas'),
  };
}

/** A part of the contract that is an object; throws an `Error` with its name otherwise. */
export function schemaPart(value: PythonValue | undefined, name: string): PythonDict {
  if (value === undefined || !isPythonDict(value)) throw new Error(`contract/schemas.json: ${name} is not an object`);
  return value;
}
