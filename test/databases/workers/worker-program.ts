import { openDatabase } from '../../../src/db/open-database.ts';
import { ActionLog } from '../../../src/tasks/action-log.ts';
import { TaskSignal } from '../../../src/tasks/task-signal.ts';
import { TaskStore } from '../../../src/tasks/task-store.ts';
import { startWorker } from '../../../src/tasks/worker.ts';
import { systemClock } from '../../../src/telemetry/clock.ts';
import { randomIds } from '../../../src/telemetry/ids.ts';
import { silentLogger } from '../../../src/telemetry/logger.ts';
import { type DatabaseServer, dialectOf, serverOn } from '../servers/database-server.ts';
import { testSagas } from './test-sagas.ts';

/**
 * A worker in a process of its own, as `zun-compute` composes it, with sagas that write history. Prints `ready`, then a line
 * `left <task> <outcome>` for each task that it parts with. SIGTERM ends it within the grace period.
 */
async function main([kind, port, name, owner = 'worker', leaseMilliseconds, graceMilliseconds]: string[]): Promise<void> {
  const database = openDatabase(dialectOf(serverOn(kind as DatabaseServer['kind'], Number(port)), name ?? ''));
  const worker = startWorker({
    store: new TaskStore(database, systemClock, randomIds, Number(leaseMilliseconds)),
    actions: new ActionLog(systemClock),
    sagas: testSagas(owner),
    signal: new TaskSignal(),
    clock: systemClock,
    ids: randomIds,
    logger: silentLogger,
    owner,
    concurrency: 4,
    pollMilliseconds: 500,
    observer: { taskLeft: (task, outcome) => console.log(`left ${(task.payload as { name: string }).name} ${outcome}`) },
  });
  process.once('SIGTERM', async () => {
    await worker.stop(Number(graceMilliseconds));
    await database.close();
    console.log('stopped');
  });
  console.log('ready');
}

await main(process.argv.slice(2));
