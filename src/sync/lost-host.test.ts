import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HostWatch } from './host-watch.ts';
import { hostLoss, lossReason } from './lost-host.ts';

const noon = Date.UTC(2026, 2, 1, 12);
const downTimeSeconds = 180;
const service = (fields: object = {}) => ({
  host: 'node1',
  signs: 7,
  forcedDown: false,
  lastSeenUp: noon,
  updatedAt: null,
  createdAt: null,
  ...fields,
});

test('the reason says which host, since when and what can be done', () => {
  const loss = hostLoss('node1', service(), noon + 181_000, downTimeSeconds);
  assert.ok(loss);
  const reason = lossReason(loss);
  assert.match(reason, /^Host node1 has not reported since 2026-03-01T12:00:00Z\. /);
  assert.match(reason, /left as they are/);
  assert.match(reason, /create it anew; an administrator can delete it by force\.$/);
  assert.match(lossReason({ host: 'node2', kind: 'silent', lastSeen: null }), /^Host node2 has never reported\. /);
  assert.match(lossReason({ host: 'node2', kind: 'declared', lastSeen: noon }), /^Host node2 was declared down by an administrator\. /);
});

test('a host that reports is not lost; one that is declared down is when that has stood for half a minute', () => {
  assert.equal(hostLoss('node1', service(), noon + 180_000, downTimeSeconds), null);
  const watch = new HostWatch(downTimeSeconds);
  const declared = [service({ forcedDown: true })];
  assert.deepEqual(watch.lost(declared, noon, 0), []);
  assert.deepEqual(watch.lost([service()], noon, 15_000), [], 'it was taken back');
  assert.deepEqual(watch.lost(declared, noon, 30_000), []);
  assert.deepEqual(watch.lost(declared, noon, 59_000), []);
  assert.deepEqual(watch.lost(declared, noon, 60_000), [{ host: 'node1', kind: 'declared', lastSeen: noon }]);
});

test('a host whose row is old is lost only after it was silent before our eyes for as long', () => {
  const watch = new HostWatch(downTimeSeconds);
  const morning = noon + 12 * 3_600_000;
  assert.deepEqual(watch.lost([service()], morning, 1_000), [], 'everything has just been started');
  assert.deepEqual(watch.lost([service()], morning + 179_000, 180_000), []);
  assert.equal(watch.lost([service()], morning + 181_000, 182_000).length, 1);
});

test('a clock that is off by hours makes no host lost that still reports', () => {
  const watch = new HostWatch(downTimeSeconds);
  for (let minute = 0; minute < 10; minute += 1) {
    const reported = service({ signs: minute, lastSeenUp: noon + minute * 60_000 });
    assert.deepEqual(watch.lost([reported], noon + 3 * 3_600_000 + minute * 60_000, minute * 60_000), [], `minute ${minute}`);
  }
});

test('a host that reports again is back at once, and its silence begins anew', () => {
  const watch = new HostWatch(downTimeSeconds);
  watch.lost([service()], noon, 0);
  assert.equal(watch.lost([service()], noon + 200_000, 200_000).length, 1);
  const back = service({ signs: 8, lastSeenUp: noon + 201_000 });
  assert.deepEqual(watch.lost([back], noon + 202_000, 202_000), []);
  assert.deepEqual(watch.lost([back], noon + 380_000, 380_000), []);
  assert.equal(watch.lost([back], noon + 383_000, 383_000).length, 1);
});
