import assert from 'node:assert/strict';
import { sagaContract } from '../bench/saga-contract.ts';
import { containerWith, little } from './containers.ts';

/** The actions of one call: how a container is brought to where each is allowed, and its status afterwards. */
const actions: { name: string; before: 'Created' | 'Running' | 'Paused'; query?: string; after: string }[] = [
  { name: 'start', before: 'Created', after: 'Running' },
  { name: 'stop', before: 'Running', query: '?timeout=1', after: 'Stopped' },
  { name: 'reboot', before: 'Running', query: '?timeout=1', after: 'Running' },
  { name: 'pause', before: 'Running', after: 'Paused' },
  { name: 'unpause', before: 'Paused', after: 'Running' },
  { name: 'kill', before: 'Running', after: 'Stopped' },
];

for (const { name, before, query = '', after } of actions) {
  sagaContract({
    name: `container.${name}`,
    kind: `container.${name}`,
    async prepare(bench) {
      const uuid = await containerWith(bench, little, before !== 'Created');
      if (before === 'Paused') await bench.ask('POST', `/v1/containers/${uuid}/pause`);
      await bench.runTasks();
      return uuid;
    },
    async ask(bench, uuid) {
      await bench.ask('POST', `/v1/containers/${uuid}/${name}${query}`);
      return uuid;
    },
    async succeeded(bench, uuid) {
      const row = await bench.ask('GET', `/v1/containers/${uuid}`);
      assert.deepEqual([row.status, row.status_reason], [after, null]);
    },
    async failed(bench, uuid) {
      assert.equal((await bench.ask('GET', `/v1/containers/${uuid}`)).status, 'Error');
    },
  });
}
