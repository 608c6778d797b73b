import assert from 'node:assert/strict';
import { holdings } from '../bench/leftovers.ts';
import { type SagaCase, sagaContract } from '../bench/saga-contract.ts';
import { containerWith, everything } from './containers.ts';

function deletion(name: string, query: string): SagaCase {
  return {
    name: `container.delete ${name}`,
    kind: 'container.delete',
    prepare: (bench) => containerWith(bench, everything),
    async ask(bench, uuid) {
      await bench.ask('DELETE', `/v1/containers/${uuid}?${query}`);
      return uuid;
    },
    async succeeded(bench) {
      assert.deepEqual((await holdings(bench)).containers, []);
    },
    async failed(bench, uuid) {
      assert.equal((await bench.ask('GET', `/v1/containers/${uuid}`)).status, 'Error');
    },
  };
}

sagaContract(deletion('by force', 'force=true'));
sagaContract(deletion('after a stop', 'stop=true'));
