import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerBench } from '../../../test/bench/container-bench.ts';
import { reconcileContainer } from './reconcile-container.ts';

const signal = new AbortController().signal;

async function healing(): Promise<{ bench: ContainerBench; uuid: string; look(): Promise<void> }> {
  const bench = await ContainerBench.open();
  const uuid = await bench.container({ auto_heal: true });
  const look = async () => {
    await reconcileContainer(bench.services, uuid, signal);
    await bench.runTasks();
  };
  return { bench, uuid, look };
}

test('auto_heal starts again what ran, also when its killing was seen before its removal', async () => {
  const { bench, uuid, look } = await healing();
  await bench.runtime.kill(uuid, 'SIGKILL', signal);
  await look();
  assert.equal((await bench.show(uuid)).status, 'Stopped');
  await bench.runtime.remove(uuid, signal);
  await look();
  assert.equal((await bench.show(uuid)).status, 'Running');
});

test('auto_heal makes a container anew that the user had stopped, and leaves it stopped', async () => {
  const { bench, uuid, look } = await healing();
  assert.equal((await bench.on(uuid, 'POST', 'kill')).status, 202);
  await bench.runTasks();
  await look();
  await bench.runtime.remove(uuid, signal);
  await look();
  assert.equal((await bench.show(uuid)).status, 'Created');
});
