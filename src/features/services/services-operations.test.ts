import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ManualClock, memoryDatabase } from '../../../test/bench/task-bench.ts';
import { defaultPolicy } from '../../../test/contract/default-policy.ts';
import { operationCaller } from '../../../test/contract/operation-caller.ts';
import type { Database } from '../../db/database.ts';
import { reportService } from './service-store.ts';
import { servicesOperations } from './services-operations.ts';

describe('services', () => {
  const clock = new ManualClock();
  let database: Database;
  let call: ReturnType<typeof operationCaller>;

  const report = (host: string) =>
    database.transaction((transaction) =>
      reportService(transaction, { host, binary: 'zun-compute', availabilityZone: host === 'one' ? 'nova' : '' }, clock.now()),
    );
  const list = async () => {
    const { body } = await call('admin', 'GET /v1/services');
    return (body as { services: Record<string, unknown>[] }).services;
  };

  before(async () => {
    database = await memoryDatabase();
    const settings = { serviceDownTimeSeconds: 180, defaultAvailabilityZone: 'nova' };
    call = operationCaller(servicesOperations({ database, policy: defaultPolicy(), clock, ...settings }));
    await report('one');
    await report('two');
  });
  after(() => database.close());

  test('each sign of life counts and moves the time; the first makes the row', async () => {
    clock.advance(1000);
    await report('one');
    const [first, second] = await list();
    assert.deepEqual(first, {
      id: 1,
      host: 'one',
      binary: 'zun-compute',
      disabled: false,
      disabled_reason: null,
      last_seen_up: '2026-03-01T12:00:01.000000',
      forced_down: false,
      report_count: 2,
      availability_zone: 'nova',
      created_at: '2026-03-01T12:00:00.000000',
      updated_at: '2026-03-01T12:00:01.000000',
      state: 'up',
    });
    assert.equal(second?.availability_zone, 'nova');
  });

  test('a service is down when three minutes passed without a sign, or when it is forced down', async () => {
    clock.advance(180_000);
    assert.deepEqual(
      (await list()).map((service) => service.state),
      ['up', 'down'],
    );
    const forced = await call('admin', 'PUT /v1/services/force_down', { host: 'one', binary: 'zun-compute', forced_down: 'True' });
    assert.deepEqual(forced.body, { service: { host: 'one', binary: 'zun-compute', forced_down: true } });
    await report('one');
    assert.equal((await list())[0]?.state, 'down');
    await call('admin', 'PUT /v1/services/force_down?host=one&binary=zun-compute&forced_down=false');
    assert.equal((await list())[0]?.state, 'up');
  });

  test('disable and enable answer what they wrote, by query or body, and a heartbeat leaves it alone', async () => {
    const disabled = await call('admin', 'PUT /v1/services/disable?host=one&binary=zun-compute&disabled_reason=repair');
    assert.deepEqual(disabled.body, { service: { host: 'one', binary: 'zun-compute', disabled: true, disabled_reason: 'repair' } });
    await report('one');
    assert.deepEqual([(await list())[0]?.disabled, (await list())[0]?.disabled_reason], [true, 'repair']);
    const enabled = await call('admin', 'PUT /v1/services/enable', { host: 'one', binary: 'zun-compute' });
    assert.deepEqual(enabled.body, { service: { host: 'one', binary: 'zun-compute', disabled: false, disabled_reason: null } });
    assert.equal((await list())[0]?.disabled, false);
  });

  test('missing arguments are refused with 400, unknown services with 404, other callers with 403', async () => {
    const message = async (request: string, caller: 'admin' | 'demo' = 'admin') => {
      const { status, body } = await call(caller, request);
      return `${status} ${(body as { message: string }).message}`;
    };
    for (const request of ['PUT /v1/services/enable', 'PUT /v1/services/disable', 'DELETE /v1/services']) {
      assert.equal(await message(request), "400 'host' is a required property");
      assert.equal(await message(`${request}?host=nohost&binary=x`), '404 Zun service x on host nohost could not be found.');
      assert.match(await message(`${request}?host=nohost&binary=x`, 'demo'), /^403 Policy doesn't allow zun-service:/);
    }
    assert.equal(await message('PUT /v1/services/force_down?host=one&binary=zun-compute'), "400 'forced_down' is a required property");
    const bad = await call('admin', 'PUT /v1/services/force_down', { host: 'one', binary: 'zun-compute', forced_down: 'maybe' });
    assert.deepEqual(
      [bad.status, bad.body],
      [400, { code: 'container.invalid-value', message: 'Valid forced_down values are: 1, t, true, on, y, yes, 0, f, false, off, n, no' }],
    );
  });

  test('a deleted service is gone', async () => {
    assert.deepEqual(await call('admin', 'DELETE /v1/services?host=two&binary=zun-compute'), { status: 200 });
    assert.deepEqual(
      (await list()).map((service) => service.host),
      ['one'],
    );
  });
});
