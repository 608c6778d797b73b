import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainWorkload } from '../plain-workload.ts';
import { annotations, type KubeSecret } from './kube-object.ts';
import { workloadRecord } from './pod/workload-record.ts';
import { PodlessRecords } from './podless-records.ts';

/** So many records, and how often each was asked for. */
function setUp(count: number) {
  const records = new Map<string, KubeSecret>();
  for (let index = 0; index < count; index += 1) {
    const uuid = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    const record = workloadRecord({ kind: 'container', spec: plainWorkload({ uuid, image: 'busybox' }) }, 'zun');
    const metadata = { ...record.metadata, namespace: 'n', uid: `uid-${index}`, resourceVersion: '1' };
    records.set(metadata.name ?? '', { ...record, metadata });
  }
  const asked: string[] = [];
  let [running, most] = [0, 0];
  const podless = new PodlessRecords(async ({ name }) => {
    asked.push(name);
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return records.get(name) ?? null;
  });
  const look = async () => {
    asked.length = 0;
    const observations = await podless.observations([...records.values()].map(({ metadata }) => ({ metadata }) as KubeSecret));
    return { observations, asked: asked.length };
  };
  return { records, look, most: () => most };
}

test('records are asked for a few at a time, and again only once they have changed', async () => {
  const { records, look, most } = setUp(100);
  const first = await look();
  assert.deepEqual([first.observations.length, first.asked], [100, 100]);
  assert.equal(most(), 8);
  assert.equal((await look()).asked, 0);

  const [[name, record] = ['', {} as KubeSecret]] = records;
  const notes = { [annotations.startError]: 'no such image' };
  records.set(name, { ...record, metadata: { ...record.metadata, resourceVersion: '2', annotations: notes } });
  const { observations, asked } = await look();
  assert.equal(asked, 1);
  assert.deepEqual(
    observations.filter(({ state }) => state.error !== '').map(({ state }) => state.error),
    ['no such image'],
  );
});

test('a record that is gone says nothing, and is not remembered', async () => {
  const { records, look } = setUp(2);
  await look();
  const [gone = ''] = records.keys();
  records.delete(gone);
  assert.equal((await look()).observations.length, 1);
});
