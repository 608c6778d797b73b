import type { Database } from '../../src/db/database.ts';
import { sqlite } from '../../src/db/dialect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { ActionLog } from '../../src/tasks/action-log.ts';
import { TaskStore } from '../../src/tasks/task-store.ts';
import type { Clock } from '../../src/telemetry/clock.ts';
import { type Ids, randomIds } from '../../src/telemetry/ids.ts';

/** A clock that moves only when told. */
export class ManualClock implements Clock {
  #now: number;
  constructor(now = Date.UTC(2026, 2, 1, 12)) {
    this.#now = now;
  }
  now(): number {
    return this.#now;
  }
  monotonic(): number {
    return this.#now;
  }
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
  /** Time passes at once, except for a sleep that can be called off: that lasts until it is. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal) return new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve())));
    this.#now += milliseconds;
    return Promise.resolve();
  }
}

/** An empty, migrated database in memory. */
export async function memoryDatabase(): Promise<Database> {
  const dialect = sqlite(':memory:');
  const database = openDatabase(dialect);
  await migrate(database, dialect);
  return database;
}

export interface TaskBench {
  database: Database;
  clock: ManualClock;
  ids: Ids;
  store: TaskStore;
  actions: ActionLog;
}

/** The queue on a database of its own. */
export async function taskBench(): Promise<TaskBench> {
  const database = await memoryDatabase();
  const clock = new ManualClock();
  return { database, clock, ids: randomIds, store: new TaskStore(database, clock, randomIds), actions: new ActionLog(clock) };
}
