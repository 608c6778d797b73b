import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statsFigures } from './stats-figures.ts';

test("processor time is told as the original's: since the beginning, in percent of the machine's", () => {
  const cpu_stats = { cpu_usage: { total_usage: 256_000 }, system_cpu_usage: 1_024_000 };
  assert.equal(statsFigures({ cpu_stats }).cpuPercent, 25);
  assert.equal(statsFigures({ cpu_stats }, 512_000).cpuPercent, 50);
  assert.equal(statsFigures({}).cpuPercent, 0);
});

test('memory is without the page cache, on cgroup v1 and v2', () => {
  const used = (stats: { total_inactive_file?: number; inactive_file?: number }) =>
    statsFigures({ memory_stats: { usage: 1000, limit: 5000, stats } }).memoryUsedBytes;
  assert.equal(used({ total_inactive_file: 300, inactive_file: 1 }), 700);
  assert.equal(used({ inactive_file: 200 }), 800);
  assert.equal(used({}), 1000);
});

test('disk and network are sums, whatever the case of the operation', () => {
  const io_service_bytes_recursive = [
    { op: 'Read', value: 1 },
    { op: 'read', value: 2 },
    { op: 'Write', value: 4 },
    { op: 'Total', value: 100 },
  ];
  const networks = { eth0: { rx_bytes: 1, tx_bytes: 2 }, eth1: { rx_bytes: 10, tx_bytes: 20 } };
  const figures = statsFigures({ blkio_stats: { io_service_bytes_recursive }, networks });
  assert.deepEqual(
    [figures.blockReadBytes, figures.blockWriteBytes, figures.networkReceivedBytes, figures.networkSentBytes],
    [3, 4, 11, 22],
  );
  assert.equal(statsFigures({ blkio_stats: { io_service_bytes_recursive: null } }).blockReadBytes, 0);
});
