import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Settings } from '../../src/config/settings.ts';
import { LocalBench } from '../bench/local-bench.ts';
import { containerWith, little } from '../sagas/containers.ts';

const noHost = ['Error', 'There are not enough hosts available.'];

async function service(bench: LocalBench, action: 'disable' | 'enable' | 'force_down', more: object = {}): Promise<void> {
  const payload = { host: 'bench', binary: 'zun-compute', ...more };
  const headers = { 'x-auth-token': 'admin', 'openstack-api-version': 'container 1.40' };
  const answer = await bench.core.server.inject({ method: 'PUT', url: `/v1/services/${action}`, headers, payload });
  assert.equal(answer.statusCode, 200, answer.body);
}

/** What becomes of a container that is created now. */
async function placed(bench: LocalBench): Promise<unknown[]> {
  const { status, status_reason } = await bench.ask('GET', `/v1/containers/${await containerWith(bench, little)}`);
  return status_reason === null ? [status] : [status, status_reason];
}

async function capsulePlaced(bench: LocalBench): Promise<unknown> {
  const containers = [{ image: 'busybox', command: ['sleep', '100'], resources: { requests: { cpu: 0.2, memory: 64 } } }];
  const template = { capsuleVersion: 'beta', kind: 'capsule', metadata: { name: 'web' }, spec: { containers } };
  const { uuid } = await bench.ask('POST', '/v1/capsules', { template });
  await bench.runTasks();
  return (await bench.ask('GET', `/v1/capsules/${uuid}`)).status;
}

for (const [how, down, up] of [
  [
    'disabled',
    (bench: LocalBench) => service(bench, 'disable', { disabled_reason: 'repair' }),
    (bench: LocalBench) => service(bench, 'enable'),
  ],
  [
    'forced down',
    (bench: LocalBench) => service(bench, 'force_down', { forced_down: true }),
    (bench: LocalBench) => service(bench, 'force_down', { forced_down: false }),
  ],
] as const)
  test(`a host that is ${how} gets no new container or capsule, what is there goes on, and it gets some again at once when it is up`, async () => {
    const bench = await LocalBench.open();
    const before = await containerWith(bench, little);
    await down(bench);
    assert.deepEqual(await placed(bench), noHost);
    assert.equal(await capsulePlaced(bench), 'Error');
    assert.equal((await bench.ask('GET', `/v1/containers/${before}`)).status, 'Running');
    await bench.ask('POST', `/v1/containers/${before}/stop?timeout=1`);
    await bench.runTasks();
    assert.equal((await bench.ask('GET', `/v1/containers/${before}`)).status, 'Stopped');
    await up(bench);
    assert.deepEqual(await placed(bench), ['Running']);
    assert.equal(await capsulePlaced(bench), 'Running');
  });

test('a disabled host gets none even where no filter looks at services', async () => {
  const change = ({ scheduler }: Settings) => Object.assign(scheduler, { enabledFilters: ['RuntimeFilter'] });
  const bench = await LocalBench.open({ change });
  await service(bench, 'disable');
  assert.deepEqual(await placed(bench), noHost);
  await service(bench, 'enable');
  assert.deepEqual(await placed(bench), ['Running']);
});

test('the heartbeat of a disabled host goes on, and leaves it disabled', async () => {
  const bench = await LocalBench.open();
  await service(bench, 'disable', { disabled_reason: 'repair' });
  await bench.pass(60_000);
  await bench.report();
  const { services } = (await bench.ask('GET', '/v1/services')) as { services: { disabled: boolean; state: string }[] };
  assert.deepEqual(
    services.map(({ disabled, state }) => [disabled, state]),
    [[true, 'up']],
  );
  assert.deepEqual(await placed(bench), noHost);
});
