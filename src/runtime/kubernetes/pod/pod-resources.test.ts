import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { podResources } from './pod-resources.ts';
import { bytesOf, quantityOf } from './quantity.ts';

const ratios = { cpu: 16, memory: 1.5 };

test('requests are limits divided by the allocation ratios', () => {
  assert.deepEqual(podResources({ cpu: 2, memoryMiB: 1536, diskGiB: 20 }, { ...ratios, disk: 2 }), {
    limits: { cpu: '2', memory: '1536Mi', 'ephemeral-storage': '20Gi' },
    requests: { cpu: '125m', memory: '1Gi', 'ephemeral-storage': '10Gi' },
  });
});

test('what is not limited is not limited; the Pod is Burstable all the same', () => {
  for (const wanted of [{}, { cpu: null, memoryMiB: null, diskGiB: 0 }, { cpu: 0, memoryMiB: 0 }]) {
    assert.deepEqual(podResources(wanted, ratios), { requests: { cpu: '1m' } });
  }
});

test('with ratios of 1, too, less memory is asked for than may be used: one that is Guaranteed could not be resized to what is not', () => {
  const { limits, requests } = podResources({ cpu: 1, memoryMiB: 64 }, { cpu: 1, memory: 1 });
  assert.deepEqual([limits?.memory, requests?.memory], ['64Mi', '65535Ki']);
});

test('a request is never more than its share, nor a thousandth of a core less than one', () => {
  const cpu = fc.double({ min: 0.0001, max: 512, noNaN: true });
  const ratio = fc.double({ min: 1, max: 64, noNaN: true });
  const property = fc.property(cpu, fc.integer({ min: 6, max: 1 << 22 }), ratio, ratio, (cores, memoryMiB, forCpu, forMemory) => {
    const { limits = {}, requests = {} } = podResources({ cpu: cores, memoryMiB }, { cpu: forCpu, memory: forMemory });
    const millicores = (text: string | undefined) => Math.round(quantityOf(text ?? '') * 1000);
    assert.ok(millicores(requests.cpu) >= 1 && millicores(requests.cpu) <= Math.max(1, millicores(limits.cpu) / forCpu));
    assert.equal(bytesOf(limits.memory ?? ''), memoryMiB * 1024 * 1024);
    assert.ok(bytesOf(requests.memory ?? '') <= bytesOf(limits.memory ?? '') / forMemory);
    assert.ok(bytesOf(requests.memory ?? '') < bytesOf(limits.memory ?? ''));
  });
  fc.assert(property);
});

test('memory that runc cannot start in is refused with field, value and rule', () => {
  const message = "Invalid value '5' for memory: a container needs 6 MiB to start.";
  assert.throws(() => podResources({ memoryMiB: 5 }, ratios), { name: 'RuntimeFault', kind: 'invalid', message });
});
