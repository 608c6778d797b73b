import { readFileSync } from 'node:fs';
import { parsePythonJson } from '../../src/validation/python-json.ts';
import type { PythonDict } from '../../src/validation/python-value.ts';

/** One recorded call of the original: what went in, and what came out or was raised. */
export interface VectorCase<In, Out> {
  in: In;
  out?: Out;
  error?: { class: string; message: string; status?: number };
}

export interface Vectors<In, Out> {
  about: string;
  cases: VectorCase<In, Out>[];
}

/** The text of a file under `contract/`. */
export function contractText(name: string): string {
  return readFileSync(new URL(`../../contract/${name}`, import.meta.url), 'utf8');
}

/** A family of `contract/vectors`; `Extra` names the tables some families add to their cases. */
export function loadVectors<In, Out, Extra = object>(family: string): Vectors<In, Out> & Extra {
  const vectors = JSON.parse(contractText(`vectors/${family}.json`)) as Vectors<In, Out> & Extra;
  if (vectors.cases.length === 0) {
    throw new Error(`contract/vectors/${family}.json holds no case`);
  }
  return vectors;
}

/** The same, with floats and big integers as Python reads them. */
export function loadExactVectors(family: string): PythonDict {
  return parsePythonJson(contractText(`vectors/${family}.json`)) as PythonDict;
}
