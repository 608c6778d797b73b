import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RuntimeFault } from '../runtime-fault.ts';
import { endedMeanwhile } from './ended-meanwhile.ts';
import { engineFault } from './engine-fault.ts';

test('Podman’s word for a process that ended just before its SIGKILL is told from other conflicts', () => {
  const cause = 'sending SIGKILL to container 5400ed1d6bce: container state improper: stopped';
  assert.equal(endedMeanwhile(engineFault(500, Buffer.from(JSON.stringify({ cause: 'container state improper', message: cause })))), true);
  assert.equal(endedMeanwhile(new RuntimeFault('conflict', 'can only kill running containers: container state improper')), false);
  assert.equal(endedMeanwhile(new RuntimeFault('unreachable', cause)), false);
  assert.equal(endedMeanwhile(new Error(cause)), false);
});
