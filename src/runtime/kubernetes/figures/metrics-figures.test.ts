import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkBytes } from './metrics-figures.ts';

test('bytes of all interfaces but the loopback are added up; a table that nobody has is zero', () => {
  const table = [
    'Inter-|   Receive                                                |  Transmit',
    ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed',
    '    lo:   84      1    0    0    0     0          0         0      84       1    0    0    0     0       0          0',
    '  eth0:12345     20    0    0    0     0          0         0     678       9    0    0    0     0       0          0',
    '  eth1:    5      1    0    0    0     0          0         0       2       1    0    0    0     0       0          0',
  ];
  assert.deepEqual(networkBytes(table.join('\n')), { receivedBytes: 12_350, sentBytes: 680 });
  assert.deepEqual(networkBytes(''), { receivedBytes: 0, sentBytes: 0 });
});
