import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import type { PythonValue } from '../validation/python-value.ts';
import { booleanFromString } from './boolean-from-string.ts';

test('the words for true and false are the original’s; others are refused with the list of words', () => {
  const refusal = () => ({ name: 'InvalidValue', message: 'Valid run values are: 1, t, true, on, y, yes, 0, f, false, off, n, no' });
  assert.equal(
    replayVectors('bool_from_string', (value: PythonValue) => booleanFromString(value, 'run'), refusal),
    26,
  );
});
