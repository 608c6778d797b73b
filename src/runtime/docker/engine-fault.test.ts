import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuntimeFaultKind } from '../runtime-fault.ts';
import { engineFault } from './engine-fault.ts';

const answers: [string, number, string, RuntimeFaultKind][] = [
  ['Docker, no container', 404, 'No such container: zun-x', 'not-found'],
  ['Docker, not running', 409, 'Container abc is not running', 'conflict'],
  ['Docker, bad signal', 400, 'Invalid signal: NONO', 'invalid'],
  ['Docker, not paused', 500, 'Container abc is not paused', 'conflict'],
  ['Docker, bad name', 500, 'invalid reference format: repository name must be lowercase', 'invalid'],
  ['Docker, on the network already', 403, 'endpoint with name zun-x already exists in network n', 'conflict'],
  ['Docker, disk', 500, "--storage-opt is supported only for overlay over xfs with 'pquota' mount option", 'failed'],
  ['Podman, state', 500, '"abc" is already paused: container state improper', 'conflict'],
  ['Podman, bad signal', 500, 'invalid signal: NONO', 'invalid'],
  ['Podman, name in use', 500, 'the container name "zun-x" is already in use by abc', 'conflict'],
];

for (const [what, status, message, kind] of answers) {
  test(`a refusal becomes a fault of its kind with the engine's words: ${what}`, () => {
    const fault = engineFault(status, Buffer.from(JSON.stringify({ message })));
    assert.deepEqual([fault.kind, fault.message], [kind, message]);
  });
}

test('a body that is no document is the sentence itself, and an empty one is told by its status', () => {
  assert.equal(engineFault(404, Buffer.from('Not Found\n')).message, 'Not Found');
  assert.equal(engineFault(502, Buffer.alloc(0)).message, 'The engine answered with status 502.');
});
