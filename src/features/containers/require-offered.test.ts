import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerBench } from '../../../test/bench/container-bench.ts';
import type { RefusableOperation } from '../../runtime/container-runtime.ts';

const requests: Record<RefusableOperation, { query?: Record<string, string>; body?: object }> = {
  pause: {},
  unpause: {},
  commit: { query: { repository: 'r', tag: 't' } },
  network_attach: { query: { network: 'private' } },
  network_detach: { query: { network: 'private' } },
};

test('what the runtime cannot do is 409 with its sentence, and no task is queued for it', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container();
  for (const [operation, request] of Object.entries(requests)) {
    const sentence = `No ${operation} here: do without.`;
    Object.assign(bench.services.runtime, { refuses: { [operation]: sentence } });
    if (operation === 'unpause') {
      await bench.on(uuid, 'POST', 'pause');
      await bench.runTasks();
    }
    const { status, json } = await bench.on(uuid, 'POST', operation, request);
    assert.equal(status, 409, operation);
    assert.match(JSON.stringify(json), new RegExp(sentence));
    assert.equal((await bench.services.tasks.busySubjects()).size, 0, operation);
    if (operation === 'unpause') {
      Object.assign(bench.services.runtime, { refuses: {} });
      await bench.on(uuid, 'POST', 'unpause');
      await bench.runTasks();
    }
  }
});
