import assert from 'node:assert/strict';
import { holdings } from '../bench/leftovers.ts';
import { type SagaCase, sagaContract } from '../bench/saga-contract.ts';
import { everything, little } from './containers.ts';

function create(name: string, run: boolean, body: object): SagaCase {
  return {
    name: `container.create ${name}`,
    kind: 'container.create',
    async prepare(bench) {
      await bench.networking.createNetwork({ neutronNetId: 'zun' });
      return '';
    },
    async ask(bench) {
      return String((await bench.ask('POST', `/v1/containers?run=${run}`, body)).uuid);
    },
    async succeeded(bench, uuid) {
      const row = await bench.ask('GET', `/v1/containers/${uuid}`);
      assert.deepEqual([row.status, row.status_reason], [run ? 'Running' : 'Created', null]);
    },
    async failed(bench, uuid) {
      assert.equal((await bench.ask('GET', `/v1/containers/${uuid}`)).status, 'Error');
      const { containers, ...rest } = await holdings(bench);
      assert.deepEqual(containers, [uuid]);
      // A failed start leaves a container that can be started again.
      if (rest.workloads.length > 0) return;
      for (const [kind, left] of Object.entries(rest)) assert.deepEqual(left, [], kind);
    },
  };
}

sagaContract(create('that runs, with volumes, a file and two networks', true, everything));
sagaContract(create('without run, of nothing but an image', false, little));
