import assert from 'node:assert/strict';
import { holdings } from '../bench/leftovers.ts';
import type { LocalBench } from '../bench/local-bench.ts';
import { type SagaCase, sagaContract } from '../bench/saga-contract.ts';

const everything = {
  image: 'busybox',
  command: ['sleep', 'infinity'],
  memory: '64',
  nets: [{ network: 'zun' }, { network: 'second' }],
  mounts: [
    { size: '1', destination: '/data' },
    { source: 'existing', destination: '/old' },
    { type: 'bind', source: Buffer.from('hello').toString('base64'), destination: '/etc/greeting' },
  ],
};

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
    async succeeded(bench: LocalBench, uuid: string) {
      const row = await bench.ask('GET', `/v1/containers/${uuid}`);
      assert.deepEqual([row.status, row.status_reason], [run ? 'Running' : 'Created', null]);
    },
    async failed(bench, uuid) {
      const { status } = await bench.ask('GET', `/v1/containers/${uuid}`);
      // A failed start leaves a container that can be started again.
      const { containers, workloads, ...rest } = await holdings(bench);
      if (workloads.length === 0)
        for (const [kind, left] of Object.entries(rest))
          assert.deepEqual(
            left.filter((owner) => owner !== ''),
            [],
            kind,
          );
      assert.equal(status, 'Error');
    },
  };
}

sagaContract(create('that runs, with volumes, a file and two networks', true, everything));
sagaContract(create('without run, of nothing but an image', false, { image: 'busybox', memory: '64' }));
