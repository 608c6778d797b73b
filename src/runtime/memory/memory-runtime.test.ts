import { setTimeout as sleep } from 'node:timers/promises';
import type { RuntimeFixture } from '../../../test/contract/runtime/runtime-fixture.ts';
import { type CapsuleKind, runtimeContract } from '../../../test/contract/runtime-contract.ts';
import type { Clock } from '../../telemetry/clock.ts';
import { randomIds } from '../../telemetry/ids.ts';
import { memoryImage } from './memory-image.ts';
import { MemoryImageStore } from './memory-image-store.ts';
import { MemoryRuntime } from './memory-runtime.ts';

/** The scripts' seconds pass fifty times as fast, so that the suite takes a few of ours. */
const SPEED = 50;
const begun = performance.now();
const fastClock: Clock = {
  now: () => Math.round(1_790_000_000_000 + (performance.now() - begun) * SPEED),
  monotonic: () => (performance.now() - begun) * SPEED,
  sleep: async (milliseconds, signal) => {
    await sleep(Math.min(milliseconds / SPEED, 2 ** 31 - 1), undefined, signal ? { signal } : {}).catch(() => undefined);
  },
};

runtimeContract('memory', () => fixture('joined'));
runtimeContract('memory as a cluster', () => fixture('as one'), { capsules: 'as one' });

async function fixture(capsules: CapsuleKind): Promise<RuntimeFixture> {
  const busybox = memoryImage('busybox');
  const images = new MemoryImageStore({
    registry: { 'busybox:latest': { image: busybox }, 'registry:5000/other:1': { image: memoryImage('other') } },
  });
  await images.pull('busybox', 'latest', null);
  const runtime = new MemoryRuntime({ clock: fastClock, ids: randomIds, images, capsules });
  runtime.networks.add('contract', '172.31.9');
  return {
    runtime,
    images,
    image: 'busybox:latest',
    missing: { repository: 'no-such-image', tag: 'latest' },
    pullable: { repository: 'registry:5000/other', tag: '1' },
    network: { name: 'contract', ipv4: '172.31.9.77' },
    volume: 'contract',
    keepsLogs: !runtime.pullsAtStart,
    filesBeforeStart: !runtime.pullsAtStart,
    leftovers: async (uuid) => ((await runtime.inspect(uuid)) ? [`zun-${uuid}`] : []),
    cleanup: async () => {},
  };
}
