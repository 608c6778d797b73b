import assert from 'node:assert/strict';
import { test } from 'node:test';
import { execRefusal, rewordedRefusals } from './exec-refusal.ts';

test("Podman's refusal of a missing program is the recorded text of the original (exec, step 7)", () => {
  const podman =
    'Error: runc: exec failed: unable to start container process: exec: "nosuchbinary": executable file not found in $PATH: OCI runtime attempted to invoke a command that was not found\nError: read unixpacket @->/proc/self/fd/14/attach: read: connection reset by peer\n';
  const refusal = execRefusal(Buffer.from(podman), 127);
  assert.equal(refusal?.exitCode, 126);
  assert.equal(
    refusal?.output.toString(),
    'OCI runtime exec failed: exec failed: unable to start container process: exec: "nosuchbinary": executable file not found in $PATH: unknown\r\n',
  );
});

test('a file that is not executable is told likewise (exec, step 8)', () => {
  const podman =
    'Error: runc: exec failed: unable to start container process: exec: "/etc/passwd": permission denied: OCI permission denied\n';
  assert.equal(
    execRefusal(Buffer.from(podman), 126)?.output.toString(),
    'OCI runtime exec failed: exec failed: unable to start container process: exec: "/etc/passwd": permission denied: unknown\r\n',
  );
});

test("a command's own output and exit code are left alone", () => {
  assert.equal(execRefusal(Buffer.from('sh: nosuch: not found\n'), 127), null);
  assert.equal(execRefusal(Buffer.from('Error: runc: exec failed: unable to start container process: x'), 1), null);
});

test("a console hears Docker's sentence for Podman's, and not the complaint after it", () => {
  const heard = rewordedRefusals();
  const podman =
    'Error: runc: exec failed: unable to start container process: exec: "none": executable file not found in $PATH: OCI runtime attempted to invoke a command that was not found\n';
  const docker =
    'OCI runtime exec failed: exec failed: unable to start container process: exec: "none": executable file not found in $PATH: unknown\r\n';
  assert.equal(heard(Buffer.from(podman)).toString(), docker);
  assert.equal(heard(Buffer.from('Error: read unixpacket @->/proc/self/fd/13/attach: read: connection reset by peer\n')).length, 0);
});

test('a console hears all else as it is, such words later on included', () => {
  const heard = rewordedRefusals();
  for (const words of ['first\n', 'Error: exec failed: unable to start container process: x\n', 'Error: read unixpacket x\n', '\xff\x00']) {
    const bytes = Buffer.from(words, 'latin1');
    assert.deepEqual(heard(bytes), bytes);
  }
});
