import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { splitCommand } from './command-split.ts';

test('a command line splits into the words the shell would see; unfinished ones are 400', () => {
  const refusal = ({ message }: { message: string }) => ({ name: 'InvalidValue', status: 400, message });
  assert.equal(replayVectors('command_split', splitCommand, refusal), 18);
});

test('empty quotes are a word, and quoted parts join what they touch', () => {
  assert.deepEqual(splitCommand(`a '' b"c d"'e'\\ f "" `), ['a', '', 'bc de f', '']);
  assert.deepEqual(splitCommand('"a\\$b\\\\" \\\n'), ['a\\$b\\', '\n']);
});

test('an escape that does not end is told from a quotation that does not', () => {
  for (const command of ['a\\', '"a\\', 'a "\\\\\\']) {
    assert.throws(() => splitCommand(command), { message: 'No escaped character' }, command);
  }
  for (const command of ['"a\\"', "'a\\", '"a\\\\', `"'`]) {
    assert.throws(() => splitCommand(command), { message: 'No closing quotation' }, command);
  }
});
