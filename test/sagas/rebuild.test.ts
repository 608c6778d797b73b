import assert from 'node:assert/strict';
import { sagaContract } from '../bench/saga-contract.ts';
import { containerWith, everything } from './containers.ts';

sagaContract({
  name: 'container.rebuild from another image',
  kind: 'container.rebuild',
  prepare: (bench) => containerWith(bench, everything),
  async ask(bench, uuid) {
    await bench.ask('POST', `/v1/containers/${uuid}/rebuild?image=nginx`);
    return uuid;
  },
  async succeeded(bench, uuid) {
    const row = await bench.ask('GET', `/v1/containers/${uuid}`);
    assert.deepEqual([row.status, row.image, row.status_reason], ['Running', 'nginx', null]);
    assert.equal(Object.keys(row.addresses as object).length, 2);
    assert.match(String((await bench.runtime.inspect(uuid))?.image), /nginx/);
  },
  async failed(bench, uuid) {
    const row = await bench.ask('GET', `/v1/containers/${uuid}`);
    assert.equal(row.status, 'Error');
    // It can be rebuilt to what it was.
    await bench.ask('POST', `/v1/containers/${uuid}/rebuild?image=busybox`);
    await bench.runTasks();
    assert.equal(Object.keys((await bench.ask('GET', `/v1/containers/${uuid}`)).addresses as object).length, 2);
    assert.match(String((await bench.runtime.inspect(uuid))?.image), /busybox/);
  },
});
