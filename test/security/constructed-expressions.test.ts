import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import { splitCommand } from '../../src/rules/command-split.ts';
import { parseImageReference } from '../../src/rules/image-reference.ts';
import { scrubbed } from '../../src/telemetry/redacted.ts';
import { pythonNumber } from '../../src/validation/python-number.ts';
import { pythonPformat } from '../../src/validation/python-pformat.ts';
import { slowInputs } from './slow-inputs.ts';

const size = 40_000;

/** Of rules whose expressions are put together at run time: they are given the texts themselves. */
const rules: Record<string, (text: string) => unknown> = {
  'an image reference': parseImageReference,
  'a command line': splitCommand,
  'a number in a string': pythonNumber,
  'a value in a refusal': (text) => pythonPformat(text, 70),
  'a line of the log': scrubbed,
};

for (const [name, rule] of Object.entries(rules)) {
  test(`${name} cannot be made slow`, () => {
    const tried = (text: string) => {
      try {
        rule(text);
      } catch (error) {
        assert.ok(error instanceof Error);
      }
    };
    const slow = slowInputs('a0A_-./:@[]{}\\u2003"\'', size).filter((text) => {
      try {
        vm.runInNewContext('tried(text)', { tried, text }, { timeout: 500 });
        return false;
      } catch {
        return true;
      }
    });
    assert.deepEqual(
      slow.map((text) => text.slice(0, 12)),
      [],
    );
  });
}
