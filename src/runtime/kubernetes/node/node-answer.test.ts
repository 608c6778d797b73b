import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFault, type RuntimeFaultKind } from '../../runtime-fault.ts';
import { nodeAnswer } from './node-answer.ts';

const result = { exitCode: 0, stdout: Buffer.from(''), stderr: Buffer.from(''), refusal: null };

function assertFault(told: object, kind: RuntimeFaultKind, words: RegExp): void {
  assert.throws(
    () => nodeAnswer({ ...result, ...told }, 'n1', 'pause'),
    (error) => isFault(error, kind) && words.test(error.message),
  );
}

test('what the command wrote is the answer, whatever it warned of', () => {
  const stdout = Buffer.from('{"a":1}\n');
  assert.equal(nodeAnswer({ ...result, stdout, stderr: Buffer.from('(node:1) Warning: x\n') }, 'n1', 'pause'), stdout);
});

test('a fault that the command told is the fault, after its warnings', () => {
  const stderr = Buffer.from('(node:1) Warning: x\n{"kind":"conflict","message":"Container c is not running"}\n');
  assertFault({ exitCode: 1, stderr }, 'conflict', /^Container c is not running$/);
});

test('an older agent is to be updated', () => {
  assertFault({ exitCode: 2, stderr: Buffer.from('usage: …') }, 'unsupported', /agent of node n1 does not know pause/);
});

test('an end without words of the command is told with what there is', () => {
  assertFault({ exitCode: 137, stderr: Buffer.from('') }, 'failed', /node n1 ended pause with 137/);
  assertFault({ exitCode: 1, stderr: Buffer.from('{"kind":"odd","message":"m"}') }, 'failed', /odd/);
  assertFault({ exitCode: 126, refusal: 'exec: "zun": not found' }, 'failed', /exec: "zun": not found/);
});
