import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ManualClock, memoryDatabase } from '../../../test/bench/task-bench.ts';
import { defaultPolicy } from '../../../test/contract/default-policy.ts';
import { operationCaller } from '../../../test/contract/operation-caller.ts';
import type { Database } from '../../db/database.ts';
import { ZunError } from '../../errors/zun-error.ts';
import { checkQuota } from './quota-check.ts';
import { quotasOperations } from './quotas-operations.ts';

const configuredQuotas = { containers: 40, memory: 51200, cpu: 20, disk: 100 };

describe('quotas', () => {
  let database: Database;
  let call: ReturnType<typeof operationCaller>;

  before(async () => {
    database = await memoryDatabase();
    call = operationCaller(quotasOperations({ database, policy: defaultPolicy(), clock: new ManualClock(), configuredQuotas }));
  });
  after(() => database.close());
  beforeEach(async () => {
    for (const table of ['quotas', 'quota_classes', 'container'] as const) await database.queries.deleteFrom(table).execute();
  });

  const addContainer = (values: { cpu?: number; memory?: string; disk?: number; container_type?: number }) =>
    database.queries
      .insertInto('container')
      .values({ project_id: 'demo-project', container_type: 0, ...values })
      .execute();

  test('a project has the configured limits, then those of the default class, then its own', async () => {
    const limits = async () => (await call('demo', 'GET /v1/quotas/demo-project')).body;
    assert.deepEqual(await limits(), configuredQuotas);
    assert.deepEqual((await call('admin', 'PUT /v1/quota_classes/default', { memory: 55000, cpu: '7' })).body, {
      ...configuredQuotas,
      memory: 55000,
      cpu: 7,
    });
    const set = await call('admin', 'PUT /v1/quotas/demo-project?containers=5', { cpu: -1 });
    assert.deepEqual(set.body, { containers: 5, memory: 55000, disk: 100, cpu: -1 });
    assert.deepEqual((await call('admin', 'PUT /v1/quotas/demo-project', { cpu: 12 })).body, {
      containers: 5,
      memory: 55000,
      disk: 100,
      cpu: 12,
    });
    assert.deepEqual((await call('demo', 'GET /v1/quotas/demo-project/defaults')).body, { ...configuredQuotas, memory: 55000, cpu: 7 });
    assert.deepEqual((await call('admin', 'GET /v1/quota_classes/gold')).body, configuredQuotas);
    assert.deepEqual(await call('admin', 'DELETE /v1/quotas/demo-project'), { status: 200 });
    assert.deepEqual(await limits(), { ...configuredQuotas, memory: 55000, cpu: 7 });
  });

  test('limits are set by admins and read by their own project', async () => {
    const statuses = [
      await call('demo', 'PUT /v1/quotas/demo-project', { cpu: 1 }),
      await call('demo', 'DELETE /v1/quotas/demo-project'),
      await call('other', 'GET /v1/quotas/demo-project'),
      await call('other', 'GET /v1/quotas/demo-project/defaults'),
      await call('demo', 'GET /v1/quota_classes/default'),
      await call('demo', 'PUT /v1/quota_classes/default', { cpu: 1 }),
    ].map((reply) => reply.status);
    assert.deepEqual(statuses, [403, 403, 403, 403, 403, 403]);
    assert.equal((await call('admin', 'PUT /v1/quotas/demo-project', { volumes: 2 })).status, 400);
  });

  test('use is shown on request, summed exactly, capsules included and what is inside them not', async () => {
    for (const cpu of [0.1, 0.2, 0.3]) await addContainer({ cpu, memory: '64', disk: 1 });
    await addContainer({ cpu: 0.1, memory: '512', container_type: 1 });
    await addContainer({ cpu: 9, memory: '9', container_type: 2 });
    const usages = (await call('demo', 'GET /v1/quotas/demo-project?usages=true')).body;
    assert.deepEqual(usages, {
      containers: { limit: 40, in_use: 4 },
      memory: { limit: 51200, in_use: 704 },
      disk: { limit: 100, in_use: 3 },
      cpu: { limit: 20, in_use: 0.7 },
    });
    assert.deepEqual((await call('demo', 'GET /v1/quotas/demo-project?usages=')).body, configuredQuotas);
  });

  const check = (added: Partial<typeof configuredQuotas>) =>
    database.transaction((transaction) =>
      checkQuota(transaction, {
        projectId: 'demo-project',
        added: { containers: 0, memory: 0, cpu: 0, disk: 0, ...added },
        configured: configuredQuotas,
      }),
    );

  test('what exceeds a limit is refused with every such resource, in the words of the original', async () => {
    await addContainer({ cpu: 19.9, memory: '51200' });
    await assert.rejects(check({ containers: 1, cpu: 0.2, memory: 1 }), (error) => {
      assert.ok(error instanceof ZunError);
      assert.deepEqual([error.status, error.code], [403, 'container.over-quota']);
      assert.equal(error.message, "Quota exceeded for resources: ['cpu', 'memory']");
      return true;
    });
  });

  test('a limit can be reached exactly, -1 is none, and what shrinks is never refused', async () => {
    await addContainer({ cpu: 19.9, memory: '60000' });
    await check({ containers: 1, cpu: 0.1, memory: -5 });
    await call('admin', 'PUT /v1/quotas/demo-project', { memory: -1, containers: 1 });
    await check({ memory: 1_000_000 });
    await assert.rejects(check({ containers: 1 }), /\['containers'\]/);
  });

  test('of many creates at once only as many as fit are let through', async () => {
    await call('admin', 'PUT /v1/quotas/demo-project', { containers: 3 });
    const create = () =>
      database.transaction(async (transaction) => {
        const added = { containers: 1, memory: 0, cpu: 0, disk: 0 };
        await checkQuota(transaction, { projectId: 'demo-project', added, configured: configuredQuotas });
        await transaction.insertInto('container').values({ project_id: 'demo-project', container_type: 0 }).execute();
      });
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, create));
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 3);
  });
});
