import type { AnsweredRequest } from '../api/answered-request.ts';
import type { ConsoleObserver } from '../console/console-observer.ts';
import type { Database } from '../db/database.ts';
import type { SyncObserver } from '../sync/sync-observer.ts';
import type { TaskObserver } from '../tasks/task-observer.ts';
import type { Clock } from '../telemetry/clock.ts';
import type { Logger } from '../telemetry/logger.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { consoleMetrics } from './console-metrics.ts';
import { type DatabaseMetrics, databaseMetrics } from './database-metrics.ts';
import { httpMetrics } from './http-metrics.ts';
import { type OutboundObserver, outboundMetrics } from './outbound-metrics.ts';
import { queueMetrics } from './queue-metrics.ts';
import { syncMetrics } from './sync-metrics.ts';
import { taskMetrics } from './task-metrics.ts';

/** What the parts of a program are given to be measured by. */
export interface ProgramMetrics {
  metrics: Metrics;
  onAnswered(answered: AnsweredRequest): void;
  tasks: TaskObserver;
  sync: SyncObserver;
  consoles: ConsoleObserver;
  /** By the name of the other service. */
  outbound(service: string): OutboundObserver;
  database: DatabaseMetrics;
  /** Tells of the task table from now on. */
  watchQueue(database: Database): void;
}

/** All metrics of a program, as `docs/OPERATING.md` lists them. */
export function programMetrics(clock: Clock, logger: Logger): ProgramMetrics {
  const metrics = new Metrics();
  metrics.addProcess();
  return {
    metrics,
    onAnswered: httpMetrics(metrics),
    tasks: taskMetrics(metrics),
    sync: syncMetrics(metrics, clock),
    consoles: consoleMetrics(metrics),
    outbound: outboundMetrics(metrics, clock, logger),
    database: databaseMetrics(metrics),
    watchQueue: (database) => queueMetrics(metrics, database, clock),
  };
}
