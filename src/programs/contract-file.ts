import { readFileSync } from 'node:fs';

/** The text of a file of `contract/`, which is part of the package. */
export function contractFile(name: string): string {
  return readFileSync(new URL(`../../contract/${name}`, import.meta.url), 'utf8');
}
