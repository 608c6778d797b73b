import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Metrics } from './metrics.ts';

test('counters, durations and gauges are told in the text format, durations in seconds', async () => {
  const metrics = new Metrics();
  metrics.counter('things_total', 'Things.', ['kind']).add({ kind: 'a' }, 3);
  metrics.duration('wait_seconds', 'Waits.', ['kind']).observe({ kind: 'a' }, 40);
  metrics.gauge('now', 'Now.', ['kind'], async () => [{ labels: { kind: 'b' }, value: 7 }]);
  const text = await metrics.text();
  assert.match(text, /^# TYPE things_total counter$/m);
  assert.match(text, /^things_total\{kind="a"\} 3$/m);
  assert.match(text, /^wait_seconds_bucket\{le="0.025",kind="a"\} 0$/m);
  assert.match(text, /^wait_seconds_bucket\{le="0.05",kind="a"\} 1$/m);
  assert.match(text, /^wait_seconds_sum\{kind="a"\} 0.04$/m);
  assert.match(text, /^now\{kind="b"\} 7$/m);
});

test('a gauge forgets what it no longer reads, and one that cannot be read keeps nothing else from being told', async () => {
  const metrics = new Metrics();
  let samples = [{ labels: { kind: 'b' }, value: 7 }];
  metrics.gauge('now', 'Now.', ['kind'], () => samples);
  metrics.gauge('broken', 'Broken.', [], () => {
    throw new Error('no');
  });
  assert.match(await metrics.text(), /^now\{kind="b"\} 7$/m);
  samples = [];
  const text = await metrics.text();
  assert.doesNotMatch(text, /^now\{/m);
  assert.match(text, /^# TYPE broken gauge$/m);
});

test('registries know nothing of each other', async () => {
  new Metrics().counter('one_total', 'One.').add();
  assert.equal((await new Metrics().text()).trim(), '');
});
