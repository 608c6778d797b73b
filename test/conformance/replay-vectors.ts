import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ZunError } from '../../src/errors/zun-error.ts';
import { parsePythonJson } from '../../src/validation/python-json.ts';
import { compareJson } from './compare-json.ts';
import type { Difference, Outcome } from './outcome.ts';
import { edgeFamilies } from './vectors/edge-families.ts';
import { networkFamilies } from './vectors/network-families.ts';
import { nodeFamilies } from './vectors/node-families.ts';
import { policyFamilies } from './vectors/policy-families.ts';
import type { VectorFamily } from './vectors/vector-family.ts';
import { workloadFamilies } from './vectors/workload-families.ts';

const families: Record<string, VectorFamily> = {
  ...edgeFamilies,
  ...workloadFamilies,
  ...nodeFamilies,
  ...networkFamilies,
  ...policyFamilies,
};

interface RecordedError {
  class: string;
  message?: string;
  first_line?: string;
  status?: number;
}

interface Vector extends Record<string, unknown> {
  in: unknown;
  out?: unknown;
  error?: RecordedError;
}

/** Calls every ported function with every recorded input. */
export async function replayVectors(folder: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const file of readdirSync(folder).sort()) {
    const text = readFileSync(join(folder, file), 'utf8');
    const { family: name, cases, ...tables } = JSON.parse(text) as { family?: string; cases?: Vector[] };
    if (name === undefined || cases === undefined) continue;
    const family = families[name];
    const exact = family?.exact ? (parsePythonJson(text) as unknown as { cases: Vector[] }).cases : cases;
    for (const [index, vector] of cases.entries()) {
      const id = `${name}/${index}`;
      const title = JSON.stringify(vector.in)?.slice(0, 120) ?? '';
      const outcome = { kind: 'vector' as const, id, title, status: null, recordedDefect: isCrash(vector.error) };
      if (!family)
        outcomes.push({ ...outcome, differences: [{ place: 'function', expected: 'ported', actual: 'none' }], properRefusal: false });
      else outcomes.push({ ...outcome, ...(await replayed(family, { ...vector, $tables: tables }, exact[index]?.in)) });
    }
  }
  return outcomes;
}

async function replayed(family: VectorFamily, vector: Vector, input: unknown): Promise<Pick<Outcome, 'differences' | 'properRefusal'>> {
  const expected = expectedOutput(vector);
  try {
    const made = await family.call(input, vector);
    if (expected === undefined)
      return { differences: [{ place: 'error', expected: vector.error, actual: made }], properRefusal: isCrash(vector.error) };
    const options = { place: 'out', pointer: '', ignored: new Set<string>() };
    return { differences: compareJson(expected, JSON.parse(JSON.stringify(made ?? null)), options), properRefusal: false };
  } catch (error) {
    return {
      differences: compareError(vector, error),
      properRefusal: isCrash(vector.error) && error instanceof ZunError && error.status < 500,
    };
  }
}

/** What the call should answer; `undefined` when it should throw. Some families record more than `out`. */
function expectedOutput({ out, error, ...rest }: Vector): unknown {
  if ('v1.13' in rest) return { 'v1.13': rest['v1.13'], 'v1.18': rest['v1.18'] };
  if ('sent' in rest) return { sent: rest.sent, out };
  if ('limits' in rest) return { out: error ? true : out, limits: rest.limits };
  return error ? undefined : (out ?? null);
}

/** What the original has no status for, or 500: a crash on the client's mistake. */
const isCrash = (error: RecordedError | undefined): boolean => error !== undefined && (error.status ?? 500) >= 500;

function compareError({ error: recorded }: Vector, thrown: unknown): Difference[] {
  const { name, message, status } = thrown as Partial<ZunError>;
  const actual = { class: name, message, status };
  if (!recorded) return [{ place: 'error', expected: 'none', actual }];
  const sameText = recorded.first_line === undefined ? message === recorded.message : message?.split('\n')[0] === recorded.first_line;
  const sameStatus = recorded.status === undefined || status === recorded.status;
  return sameText && sameStatus && name === recorded.class ? [] : [{ place: 'error', expected: recorded, actual }];
}
