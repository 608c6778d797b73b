import type { Database } from '../db/database.ts';
import type { Clock } from '../telemetry/clock.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** Tells at each scrape what is in the task table: the same from every process, so take the maximum, not the sum. */
export function queueMetrics(metrics: Metrics, database: Database, clock: Clock): void {
  const labels = ['kind', 'state'];
  metrics.gauge('zun_tasks', 'Tasks that have not ended.', labels, async () =>
    (await queued(database)).map(({ kind, state, count }) => ({ labels: { kind, state }, value: count })),
  );
  metrics.gauge('zun_task_oldest_age_seconds', 'Age of the oldest task that has not ended.', labels, async () =>
    (await queued(database)).map(({ kind, state, oldest }) => ({
      labels: { kind, state },
      value: Math.max(0, clock.now() - oldest) / 1000,
    })),
  );
}

async function queued(database: Database): Promise<{ kind: string; state: string; count: number; oldest: number }[]> {
  const rows = await database.queries
    .selectFrom('openkeel_task')
    .select((column) => ['kind', 'state', column.fn.countAll().as('count'), column.fn.min('created_at').as('oldest')])
    .groupBy(['kind', 'state'])
    .execute();
  return rows.map(({ kind, state, count, oldest }) => ({ kind, state, count: Number(count), oldest: Number(oldest) }));
}
