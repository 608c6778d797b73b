import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLease } from '../../src/sync/lease-store.ts';
import { onEachServer } from './on-each-database.ts';
import type { DatabaseSource, TestDatabase } from './test-database.ts';
import { ProgramProcess } from './workers/program-process.ts';

/** Processes of which one leads, on one database. */
class LeadersBench {
  readonly database: TestDatabase;
  readonly #source: DatabaseSource;
  readonly #processes: ProgramProcess[] = [];

  static async use(source: DatabaseSource, work: (bench: LeadersBench) => Promise<void>): Promise<void> {
    const bench = new LeadersBench(source, await source.open());
    try {
      await work(bench);
    } finally {
      for (const each of bench.#processes) await each.kill();
      await bench.database.close();
    }
  }

  private constructor(source: DatabaseSource, database: TestDatabase) {
    this.#source = source;
    this.database = database;
  }

  async start(holder: string, ...how: string[]): Promise<ProgramProcess> {
    assert.ok(this.#source.server);
    const started = await ProgramProcess.start('leader-program.ts', this.#source.server, this.database.name, holder, ...how);
    this.#processes.push(started);
    return started;
  }

  async writesOf(holder: string): Promise<number> {
    const row = await this.database.queries.selectFrom('zun_service').select('report_count').where('host', '=', holder).executeTakeFirst();
    return row?.report_count ?? 0;
  }
}

function leadersSuite(source: DatabaseSource): void {
  test('a leader that is stopped past its lease has lost it, and what it was about to write when it wakes is rolled back', async () => {
    await LeadersBench.use(source, async (bench) => {
      const sleeper = await bench.start('sleeper', 'stops');
      await sleeper.says('leads');
      const other = await bench.start('other');
      await other.says('leads');
      sleeper.signal('SIGCONT');
      await sleeper.says('refused');
      await sleeper.says('leads no longer');
      assert.equal(await bench.writesOf('sleeper'), 2);
      assert.equal((await readLease(bench.database.queries, 'sync'))?.holder, 'other');
    });
  });

  test('a leader that is killed is followed by one of the others, one that ends by the next at once', async () => {
    await LeadersBench.use(source, async (bench) => {
      const first = await bench.start('first');
      await first.says('leads');
      const second = await bench.start('second');
      await first.kill();
      await second.says('leads');
      const third = await bench.start('third');
      second.signal('SIGTERM');
      await third.says('leads');
      await second.says('stopped');
      assert.equal((await readLease(bench.database.queries, 'sync'))?.term, 3);
    });
  });
}

onEachServer({ 'leaders in processes of their own': leadersSuite });
