import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkloadSpec } from '../container-runtime.ts';
import { plainWorkload } from '../plain-workload.ts';
import { containerBody } from './container-body.ts';

const plain = plainWorkload({ uuid: 'u', image: 'busybox:latest' });

const hostConfig = (spec: Partial<WorkloadSpec>) => containerBody({ ...plain, ...spec }, [], 'none').HostConfig as Record<string, unknown>;

test('what is not asked for is left to the image and the engine', () => {
  const body = containerBody(plain, [], 'none');
  for (const member of ['Cmd', 'Entrypoint', 'WorkingDir', 'Hostname', 'Healthcheck', 'ExposedPorts', 'MacAddress', 'NetworkingConfig']) {
    assert.ok(!(member in body), member);
  }
  assert.deepEqual(hostConfig({}), {
    NetworkMode: 'none',
    Privileged: false,
    AutoRemove: false,
    RestartPolicy: { Name: 'no', MaximumRetryCount: 0 },
  });
});

test('the label with the UUID is ours, whatever the user labels', () => {
  const body = containerBody({ ...plain, labels: { a: 'b', 'org.openstack.zun.container': 'stolen' } }, [], 'none');
  assert.deepEqual(body.Labels, { a: 'b', 'org.openstack.zun.container': 'u' });
});

test('cores are shares of 1024 and memory has as much swap again, as recorded from the original (life-create-start)', () => {
  const { CpuShares, Memory, MemorySwap } = hostConfig({ cpu: 0.2, memoryMiB: 64 });
  assert.deepEqual([CpuShares, Memory, MemorySwap], [204, 67108864, 134217728]);
});

test('disk is a storage option in G', () => {
  assert.deepEqual(hostConfig({ diskGiB: 20 }).StorageOpt, { size: '20G' });
});

test('only on-failure counts its retries, and auto-remove goes without a policy', () => {
  const policy = (name: WorkloadSpec['restartPolicy']['name']) =>
    hostConfig({ restartPolicy: { name, maximumRetryCount: 2 } }).RestartPolicy;
  assert.deepEqual(policy('on-failure'), { Name: 'on-failure', MaximumRetryCount: 2 });
  assert.deepEqual(policy('always'), { Name: 'always', MaximumRetryCount: 0 });
  assert.equal(hostConfig({ autoRemove: true }).RestartPolicy, undefined);
});

test('a healthcheck runs in the shell, its times are nanoseconds', () => {
  const healthcheck = { command: 'true', intervalSeconds: 3, timeoutSeconds: 0.5, retries: null };
  assert.deepEqual(containerBody({ ...plain, healthcheck }, [], 'none').Healthcheck, {
    Test: ['CMD-SHELL', 'true'],
    Interval: 3e9,
    Timeout: 5e8,
    Retries: 0,
  });
});

test('the first network is joined at create with its fixed addresses', () => {
  const networks = [
    { engineNetwork: 'one', ipv4: '10.0.0.7', ipv6: null, mac: '02:00:00:00:00:01' },
    { engineNetwork: 'two', ipv4: null, ipv6: null, mac: null },
  ];
  const body = containerBody({ ...plain, networks }, [], 'none');
  assert.equal(body.MacAddress, '02:00:00:00:00:01');
  assert.deepEqual(body.NetworkingConfig, {
    EndpointsConfig: { one: { IPAMConfig: { IPv4Address: '10.0.0.7' }, MacAddress: '02:00:00:00:00:01' } },
  });
  assert.equal((body.HostConfig as { NetworkMode: string }).NetworkMode, 'one');
});

test('volumes and files are mounts', () => {
  const mounts = [{ kind: 'volume' as const, source: 'v', destination: '/data', readOnly: true }];
  const body = containerBody({ ...plain, mounts }, [{ source: '/x/0', destination: '/etc/a' }], 'none');
  assert.deepEqual((body.HostConfig as { Mounts: unknown }).Mounts, [
    { Type: 'volume', Source: 'v', Target: '/data', ReadOnly: true },
    { Type: 'bind', Source: '/x/0', Target: '/etc/a' },
  ]);
});
