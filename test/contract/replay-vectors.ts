import assert from 'node:assert/strict';
import { loadVectors, type VectorCase } from './vectors.ts';

/**
 * Calls a ported rule with every recorded input and compares what comes out, or class and text of what is raised.
 * `refusal` states, for cases the original answers with a crash, what is raised here instead.
 * Answers the number of cases, which the test names, so that a family can't shrink unseen.
 */
export function replayVectors<In, Out>(
  family: string,
  call: (input: In) => Out,
  refusal: (error: NonNullable<VectorCase<In, Out>['error']>) => { name?: string; message?: string; status?: number } = (error) => ({
    name: error.class,
    message: error.message,
  }),
): number {
  const { cases } = loadVectors<In, Out>(family);
  for (const vector of cases) {
    const label = `${family}: ${JSON.stringify(vector.in)}`;
    if (vector.error) {
      assert.throws(() => call(vector.in), refusal(vector.error), label);
    } else {
      assert.deepEqual(call(vector.in), vector.out, label);
    }
  }
  return cases.length;
}
