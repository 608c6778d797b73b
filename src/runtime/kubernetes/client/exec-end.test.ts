import assert from 'node:assert/strict';
import { test } from 'node:test';
import { execEnd } from './exec-end.ts';

const failure = (message: string, more: object = {}) => ({ status: 'Failure', code: 500, reason: 'InternalError', message, ...more });

test('success is exit code 0, and a command that fails ends with its own', () => {
  assert.deepEqual(execEnd({ status: 'Success' }), { exitCode: 0, error: null });
  const status = failure('command terminated with non-zero exit code: exit status 137', {
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: '137' }] },
  });
  assert.deepEqual(execEnd(status), { exitCode: 137, error: null });
});

/** Kubernetes 1.34, containerd 1.6, runc 1.1 and runsc 20240729. */
const refusals = [
  'exec failed: unable to start container process: exec: "nope": executable file not found in $PATH: unknown',
  'exec failed: unable to start container process: exec: "/etc/passwd": permission denied: unknown',
  'executing processes for container: executing command "nope" in sandbox: error finding executable "nope" in PATH [/bin]: no such file or directory: unknown',
  'executing processes for container: executing command "/etc" in sandbox: failed to load /etc: permission denied: unknown',
];

for (const words of refusals)
  test(`a command that cannot be started is told from one that ran: ${words}`, () => {
    const message = `Internal error occurred: error executing command in container: failed to exec in container: failed to start exec "56372f5f": OCI runtime exec failed: ${words}`;
    assert.deepEqual(execEnd(failure(message)), { exitCode: 126, error: `OCI runtime exec failed: ${words}` });
  });

test('a container that does not run is a conflict', () => {
  for (const message of [
    'Internal error occurred: unable to upgrade connection: container not found ("main")',
    'Internal error occurred: unable to upgrade connection: container main not found in pod p_n',
    'error executing command in container: failed to exec in container: container is in CONTAINER_EXITED state',
  ]) {
    assert.throws(() => execEnd(failure(message)), { name: 'RuntimeFault', kind: 'conflict', message });
  }
});

test('a node that cannot be asked is unreachable, whatever else goes wrong has failed', () => {
  const gone =
    'Internal error occurred: error sending request: Post "https://10.99.0.1:10250/exec/n/p/main": dial tcp 10.99.0.1:10250: connect: connection refused';
  assert.throws(() => execEnd(failure(gone)), { kind: 'unreachable', message: gone });
  assert.throws(() => execEnd(failure('something else')), { kind: 'failed', message: 'something else' });
  assert.throws(() => execEnd({}), { kind: 'failed' });
});

test('an exit code that cannot be read is no exit code', () => {
  assert.throws(() => execEnd(failure('odd', { reason: 'NonZeroExitCode' })), { kind: 'failed', message: 'odd' });
});
