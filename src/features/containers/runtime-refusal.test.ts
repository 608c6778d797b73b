import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RuntimeFault, type RuntimeFaultKind } from '../../runtime/runtime-fault.ts';
import { runtimeRefusal } from './runtime-refusal.ts';

test('every fault of the runtime is an answer in its own words, and none is a 500', () => {
  const answers: Record<RuntimeFaultKind, [number, string]> = {
    'not-found': [404, 'container.not-found'],
    conflict: [409, 'container.conflict'],
    invalid: [400, 'container.invalid'],
    denied: [409, 'container.conflict'],
    timeout: [503, 'container.service-unavailable'],
    unreachable: [503, 'container.service-unavailable'],
    unsupported: [409, 'container.operation-not-supported'],
    failed: [409, 'container.conflict'],
  };
  for (const [kind, [status, code]] of Object.entries(answers)) {
    const refusal = runtimeRefusal(new RuntimeFault(kind as RuntimeFaultKind, 'the engine’s words'));
    assert.deepEqual([refusal.status, refusal.code], [status, code]);
    assert.match(refusal.message, /the engine’s words$/);
  }
});
