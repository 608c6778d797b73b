import { readFileSync } from 'node:fs';
import { type ContractSchemas, readContractSchemas } from '../validation/contract-schemas.ts';

/** The text of a file of `contract/`, which is part of the package. */
export function contractFile(name: string): string {
  return readFileSync(new URL(`../../contract/${name}`, import.meta.url), 'utf8');
}

let schemas: ContractSchemas | undefined;

/** The request schemas of `contract/`, read once a process. */
export function contractSchemas(): ContractSchemas {
  schemas ??= readContractSchemas(contractFile('schemas.json'));
  return schemas;
}
