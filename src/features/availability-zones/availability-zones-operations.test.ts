import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { memoryDatabase } from '../../../test/bench/task-bench.ts';
import { defaultPolicy } from '../../../test/contract/default-policy.ts';
import { operationCaller } from '../../../test/contract/operation-caller.ts';
import type { Database } from '../../db/database.ts';
import { availabilityZonesOperations } from './availability-zones-operations.ts';

describe('availability zones', () => {
  let database: Database;
  let call: ReturnType<typeof operationCaller>;

  before(async () => {
    database = await memoryDatabase();
    call = operationCaller(availabilityZonesOperations({ database, policy: defaultPolicy(), maxLimit: 1000 }));
    for (const [index, zone] of ['nova', 'az2', null, 'nova'].entries()) {
      const row = { host: `h${index}`, binary: 'zun-compute', availability_zone: zone, report_count: 1 };
      await database.queries.insertInto('zun_service').values(row).execute();
    }
  });
  after(() => database.close());

  const list = async (query: string) => {
    const { body } = await call('demo', `GET /v1/availability_zones${query}`);
    const { availability_zones: zones, next } = body as { availability_zones: { availability_zone: string | null }[]; next: string | null };
    return { zones: zones.map((zone) => zone.availability_zone), next };
  };

  test('every zone is listed once, for every user', async () => {
    assert.deepEqual(await list(''), { zones: [null, 'az2', 'nova'], next: null });
    assert.deepEqual((await list('?sort_dir=desc')).zones, ['nova', 'az2', null]);
    assert.deepEqual((await list('?sort_key=host')).zones, ['nova', 'az2', null]);
  });

  test('a full page has a next one, by the name of its last zone (500 in the original)', async () => {
    const next = 'http://h:1/v1/availability_zones?sort_key=availability_zone&sort_dir=asc&limit=2&marker=az2';
    assert.deepEqual(await list('?limit=2'), { zones: [null, 'az2'], next });
    assert.deepEqual(await list('?limit=2&marker=az2'), { zones: ['nova'], next: null });
    assert.equal((await call('demo', 'GET /v1/availability_zones?marker=x')).status, 400);
  });
});
