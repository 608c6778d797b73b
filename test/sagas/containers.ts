import type { LocalBench } from '../bench/local-bench.ts';
import { endsOnTerm } from '../contract/runtime/scripts.ts';

/** A body that asks for all that a container can hold: two ports, a new volume, an existing one, a file. */
export const everything = {
  image: 'busybox',
  command: endsOnTerm(0),
  memory: '64',
  nets: [{ network: 'zun' }, { network: 'second' }],
  mounts: [
    { size: '1', destination: '/data' },
    { source: 'existing', destination: '/old' },
    { type: 'bind', source: Buffer.from('hello').toString('base64'), destination: '/etc/greeting' },
  ],
};

/** On the default network, and nothing more. */
export const little = { image: 'busybox', command: endsOnTerm(0), memory: '64' };

/** Makes a container, to the state that follows; answers its uuid. */
export async function containerWith(bench: LocalBench, body: object, run = true): Promise<string> {
  await bench.networking.createNetwork({ neutronNetId: 'zun' });
  const { uuid } = await bench.ask('POST', `/v1/containers?run=${run}`, body);
  await bench.runTasks();
  return String(uuid);
}
