import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RuntimeFault } from '../runtime-fault.ts';
import { endedMeanwhile, unmountedMeanwhile } from './ended-meanwhile.ts';
import type { EngineClient } from './engine-client.ts';
import { engineFault } from './engine-fault.ts';
import { WorkloadFiles } from './workload-files.ts';

test('Podman’s word for a process that ended just before its SIGKILL is told from other conflicts', () => {
  const cause = 'sending SIGKILL to container 5400ed1d6bce: container state improper: stopped';
  assert.equal(endedMeanwhile(engineFault(500, Buffer.from(JSON.stringify({ cause: 'container state improper', message: cause })))), true);
  assert.equal(endedMeanwhile(new RuntimeFault('conflict', 'can only kill running containers: container state improper')), false);
  assert.equal(endedMeanwhile(new RuntimeFault('unreachable', cause)), false);
  assert.equal(endedMeanwhile(new Error(cause)), false);
});

const unmounted = engineFault(
  500,
  Buffer.from(
    JSON.stringify({
      message:
        'error in copier subprocess: changing to intended-new-root directory "/s/overlay/66/merged": chdir /s/overlay/66/merged: no such file or directory',
    }),
  ),
);

test('Podman’s word for a filesystem that it has just unmounted is told from a path that is not there', () => {
  assert.equal(unmountedMeanwhile(unmounted), true);
  assert.equal(unmountedMeanwhile(engineFault(404, Buffer.from('{"message":"stat /x: no such file or directory"}'))), false);
});

for (const [failures, outcome] of [
  [1, 'is done when it is asked again'],
  [3, 'fails with the words after the third time'],
] as const)
  test(`what a filesystem is asked for while it is unmounted ${outcome}`, async () => {
    let calls = 0;
    const request = async () => {
      calls += 1;
      if (calls <= failures) throw unmounted;
      return { body: Buffer.alloc(0), headers: {}, status: 200 };
    };
    const files = new WorkloadFiles({ kind: async () => 'docker', request } as unknown as EngineClient);
    const put = files.put('u', '/', Buffer.alloc(1024));
    await (failures < 3 ? put : assert.rejects(put, unmounted));
    assert.equal(calls, Math.min(failures + 1, 3));
  });
