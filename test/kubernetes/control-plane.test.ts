import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { startCluster } from '../cluster/cluster.ts';
import { until } from '../system/engine/until.ts';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'played', namespace: 'default' },
  spec: { nodeName: 'fake1', containers: [{ name: 'main', image: 'any' }] },
};

test('a control plane takes Pods that a test plays, or KWOK', async (t) => {
  const cluster = await startCluster({ mode: 'control' });
  t.after(() => cluster.stop());
  await cluster.apply(pod);
  const status = JSON.stringify({ status: { phase: 'Unknown', reason: 'Played' } });
  await cluster.kubectl('patch', 'pod', 'played', '--subresource=status', '--patch', status);
  assert.equal(await cluster.kubectl('get', 'pod', 'played', '--output=jsonpath={.status.reason}'), 'Played');
  await cluster.kubectl('delete', 'pod', 'played', '--grace-period=0', '--force');
  await cluster.startKwok('fake1');
  await cluster.apply(pod);
  await cluster.kubectl('wait', '--for=condition=Ready', '--timeout=60s', 'pod/played');
});

test('a paused API accepts and does not answer; a killed one refuses, and keeps what it knew', async (t) => {
  const cluster = await startCluster({ mode: 'control' });
  t.after(() => cluster.stop());
  await cluster.apply(pod);
  const ask = () => cluster.kubectl('get', 'pod', 'played', '--output=name', '--request-timeout=2s');
  await cluster.pause('kube-apiserver');
  await assert.rejects(ask(), /timeout|deadline/i);
  await cluster.resume('kube-apiserver');
  await until('the API answers', ask);
  await cluster.kill('kube-apiserver');
  await assert.rejects(ask(), /refused/);
  await cluster.start('kube-apiserver');
  assert.equal(await ask(), 'pod/played\n');
});

test('a cluster ends with the process that started it, and the next one removes what is left', async (t) => {
  const entry = path.join(import.meta.dirname, '../cluster/cluster.ts');
  const program = `import { startCluster } from ${JSON.stringify(entry)};
    const { folder, exec } = await startCluster({ mode: 'control' });
    console.log(folder);
    setInterval(() => {}, 1e6);`;
  const starter = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => starter.kill('SIGKILL'));
  const [printed] = await once(starter.stdout, 'data');
  const folder = String(printed).trim();
  await access(path.join(folder, 'cluster.json'));
  starter.kill('SIGKILL');
  await once(starter, 'exit');
  const next = await startCluster({ mode: 'control' });
  t.after(() => next.stop());
  await assert.rejects(access(folder), { code: 'ENOENT' });
});
