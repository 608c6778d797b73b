import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CapsuleBench, templateOf } from '../../../test/bench/capsule-bench.ts';
import type { CapsuleKind } from '../../../test/contract/runtime-contract.ts';

const template = templateOf({
  restartPolicy: 'OnFailure',
  initContainers: [{ image: 'busybox', command: ['true'] }],
  containers: [
    { image: 'busybox', command: ['sleep', '1000'] },
    { image: 'nginx', command: ['sh', '-c', 'exit 0'] },
  ],
});

/** What the admin sees in that version, without what differs from capsule to capsule: uuids, made names, ages and times. */
async function seen(kind: CapsuleKind, version: string) {
  const capsules = await CapsuleBench.open(kind);
  const { uuid } = await capsules.make(template);
  const text = JSON.stringify(await capsules.show(uuid, { as: 'admin', version }))
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UUID')
    .replaceAll(/[0-9a-f]{12}/g, 'HOST')
    .replaceAll(/capsule-cap-[a-z]+-\d+/g, 'NAME')
    .replaceAll(/\d+ seconds?/g, 'AGE')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?/g, 'TIME');
  return JSON.parse(text);
}

for (const version of ['1.31', '1.32', '1.40']) {
  test(`in ${version} a capsule looks the same whichever way its runtime holds it`, async () => {
    const one = await seen('as one', version);
    assert.deepEqual(one, await seen('joined', version));
    assert.deepEqual(
      [one.status, ...one.init_containers.map(({ status }: { status: string }) => status), one.containers[1].status_detail],
      ['Running', 'Stopped', 'Exited(0) AGE ago '],
    );
  });
}
