import { openDatabase } from '../../../src/db/open-database.ts';
import { reportService } from '../../../src/features/services/service-store.ts';
import { fencedDatabase } from '../../../src/sync/fenced-database.ts';
import { lead } from '../../../src/sync/lead.ts';
import { type Leadership, NotLeading } from '../../../src/sync/leadership.ts';
import { systemClock } from '../../../src/telemetry/clock.ts';
import { silentLogger } from '../../../src/telemetry/logger.ts';
import { type DatabaseServer, dialectOf, serverOn } from '../servers/database-server.ts';
import { leaderTimes } from './leader-times.ts';

/**
 * One of several processes of which one leads. While it does it counts up a row in the leader's own transactions, every 100 ms; a `stops` leader stops itself
 * (SIGSTOP) within its third, before the end. Prints `ready`, `leads`, `refused` for a write that came too late, `leads no longer`. SIGTERM ends it.
 */
async function main([kind, port, name, holder = 'leader', stops]: string[]): Promise<void> {
  const database = openDatabase(dialectOf(serverOn(kind as DatabaseServer['kind'], Number(port)), name ?? ''));
  const work = async (leadership: Leadership) => {
    console.log('leads');
    const fenced = fencedDatabase(database, leadership);
    for (let write = 1; !leadership.signal.aborted; write += 1) {
      try {
        await fenced.transaction(async (queries) => {
          await reportService(queries, { host: holder, binary: 'leader', availabilityZone: '' }, systemClock.now());
          if (stops === 'stops' && write === 3) process.kill(process.pid, 'SIGSTOP');
        });
      } catch (error) {
        console.log(error instanceof NotLeading ? 'refused' : 'broken');
      }
      await systemClock.sleep(100, leadership.signal);
    }
    console.log('leads no longer');
  };
  const leading = lead({ database, clock: systemClock, logger: silentLogger, name: 'sync', holder, times: leaderTimes, work });
  process.once('SIGTERM', async () => {
    await leading.stop();
    await database.close();
    console.log('stopped');
  });
  console.log('ready');
}

await main(process.argv.slice(2));
