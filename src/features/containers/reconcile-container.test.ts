import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerBench } from '../../../test/bench/container-bench.ts';
import type { ContainerRuntime } from '../../runtime/container-runtime.ts';
import type { KubePod } from '../../runtime/kubernetes/kube-object.ts';
import { podObservations } from '../../runtime/kubernetes/state/pod-observations.ts';
import { startStateSync } from '../../sync/state-sync.ts';
import { silentLogger } from '../../telemetry/logger.ts';
import { differingContainers, reconcileContainer } from './reconcile-container.ts';

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

test('a check that is never passed makes the container unhealthy when that time has come, without an event and without a listing', async () => {
  const bench = await ContainerBench.open();
  const uuid = await bench.container({ healthcheck: { cmd: 'false', interval: '10', timeout: '1', retries: '3' } });
  const { clock } = bench;
  const pod = runningPod(uuid, clock.now());
  let looks = 0;
  const runtime: Pick<ContainerRuntime, 'inspect' | 'list' | 'events'> = {
    inspect: async () => {
      looks += 1;
      return podObservations(pod, clock.now())[0] ?? null;
    },
    list: async () => podObservations(pod, clock.now()),
    // The bench's own engine has nothing to tell.
    events: (ending, told) => bench.runtime.events(ending, told),
  };
  const services = Object.assign(Object.create(bench.services), { runtime }) as typeof bench.services;
  const sync = startStateSync({
    runtime: runtime as ContainerRuntime,
    reconcile: (each) => reconcileContainer(services, each, signal),
    differing: (observations) => differingContainers(services, null, observations),
    clock,
    logger: silentLogger,
    listInterval: 600_000,
  });
  await sync.firstListing;
  const detailAfter = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) await clock.advance(1000);
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return (await bench.show(uuid)).status_detail;
  };
  assert.match(String(await detailAfter(30)), /^Up .* \(health: starting\)$/);
  assert.match(String(await detailAfter(10)), /^Up .* \(unhealthy\)$/);
  const before = looks;
  await detailAfter(300);
  assert.equal(looks, before, 'what is unhealthy is not looked at again');
  await sync.stop();
});

/** A Pod of that container whose check has not been passed. */
function runningPod(uuid: string, startedAt: number): KubePod {
  const labels = { 'zun.openstack.org/workload': uuid, 'zun.openstack.org/kind': 'container' };
  const state = { running: { startedAt: new Date(startedAt) } };
  return {
    metadata: { name: `zun-${uuid}`, labels, uid: 'pod-uid' },
    spec: { containers: [{ name: 'main', image: 'busybox', readinessProbe: { periodSeconds: 10, failureThreshold: 3 } }] },
    status: {
      phase: 'Running',
      containerStatuses: [
        { name: 'main', image: 'busybox', imageID: 'i', ready: false, restartCount: 0, state, containerID: 'containerd://c' },
      ],
    },
  };
}
