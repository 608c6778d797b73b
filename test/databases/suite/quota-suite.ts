import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { insertContainer } from '../../../src/features/containers/container-store.ts';
import { checkQuota } from '../../../src/features/quotas/quota-check.ts';
import { deleteProjectQuotas, effectiveQuotas, setClassQuotas, setProjectQuotas } from '../../../src/features/quotas/quota-store.ts';
import { quotaUsage } from '../../../src/features/quotas/quota-usage.ts';
import type { DatabaseSource, TestDatabase } from '../test-database.ts';
import { numberedUuid, sampleContainer } from './sample-container.ts';

const configured = { containers: 5, memory: 51_200, cpu: 20, disk: 100 };
const one = { containers: 1, memory: 512, cpu: 0.1, disk: 0 };

/** What quotas promise, on any database. */
export function quotaSuite(source: DatabaseSource): void {
  let database: TestDatabase;
  before(async () => {
    database = await source.open();
  });
  after(() => database.close());

  const create = (projectId: string, number: number) =>
    database.transaction(async (transaction) => {
      await checkQuota(transaction, { projectId, added: one, configured });
      await insertContainer(transaction, sampleContainer({ uuid: numberedUuid(number), projectId, cpu: 0.1, disk: 0 }));
    });

  test('of 20 creates at once exactly as many as fit are let through, also the first of a project', async () => {
    for (const [round, projectId] of ['first', 'second', 'third'].entries()) {
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, number) => create(projectId, round * 100 + number)));
      const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.message] : []));
      assert.equal(outcomes.length - refusals.length, 5);
      assert.ok(
        refusals.every((message) => message.startsWith("Quota exceeded for resources: ['containers']")),
        refusals.join('\n'),
      );
      assert.deepEqual(await quotaUsage(database.queries, projectId), { containers: 5, memory: 2560, disk: 0, cpu: 0.5 });
    }
  });

  test("a project's limits go before the class's, and those before the configured ones", async () => {
    await setClassQuotas(database.queries, 'default', { cpu: 7 }, 0);
    await setProjectQuotas(database.queries, 'limits', { containers: -1 }, 0);
    await setProjectQuotas(database.queries, 'limits', { containers: 9 }, 1);
    assert.deepEqual(await effectiveQuotas(database.queries, 'limits', configured), { ...configured, containers: 9, cpu: 7 });
    await deleteProjectQuotas(database.queries, 'limits');
    assert.deepEqual(await effectiveQuotas(database.queries, 'limits', configured), { ...configured, cpu: 7 });
  });
}
