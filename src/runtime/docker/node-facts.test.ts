import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diskQuotaSupported, nodeFacts } from './node-facts.ts';

test('quotas need xfs with project quotas under overlay2', () => {
  const xfs = { Driver: 'overlay2', DriverStatus: [['Backing Filesystem', 'xfs']] as [string, string][] };
  const mounts = '/dev/a / ext4 rw 0 0\n/dev/b /var/lib xfs rw,prjquota 0 0\n/dev/c /var/lib/other xfs rw 0 0\n';
  assert.equal(diskQuotaSupported(xfs, '/var/lib/docker', mounts), true);
  assert.equal(diskQuotaSupported(xfs, '/var/lib/other/docker', mounts), false);
  assert.equal(
    diskQuotaSupported({ Driver: 'overlay2', DriverStatus: [['Backing Filesystem', 'extfs']] }, '/var/lib/docker', mounts),
    false,
  );
  assert.equal(diskQuotaSupported({ Driver: 'btrfs' }, '/', mounts), true);
  assert.equal(diskQuotaSupported({ Driver: 'vfs' }, '/', mounts), false);
});

test("labels are split at the first =, and of Podman's runtimes only the one it runs is told", async () => {
  const info = { Labels: ['a=b=c', 'd'], Runtimes: { runc: {}, crun: {} }, DefaultRuntime: 'runc', MemTotal: 3 * 1024 ** 2 + 5 };
  const docker = await nodeFacts(info, 'docker');
  assert.deepEqual([docker.labels, docker.runtimes, docker.memoryTotalMiB], [{ a: 'b=c', d: '' }, ['runc', 'crun'], 3]);
  assert.deepEqual((await nodeFacts(info, 'podman')).runtimes, ['runc']);
});
