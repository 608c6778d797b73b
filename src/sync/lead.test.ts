import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StandingClock } from '../../test/bench/standing-clock.ts';
import { memoryDatabase } from '../../test/bench/task-bench.ts';
import type { Database } from '../db/database.ts';
import { sqlite } from '../db/dialect.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import type { Clock } from '../telemetry/clock.ts';
import { silentLogger } from '../telemetry/logger.ts';
import { fencedDatabase } from './fenced-database.ts';
import { lead, leaseTimes } from './lead.ts';
import { type Leadership, NotLeading } from './leadership.ts';

const { duration, renewal, patience } = leaseTimes;

/** Processes on one database, each with its own view of the time, and who of them leads. */
class Bench {
  readonly world = new StandingClock();
  readonly database: Database;
  /** Who works, in the order of beginning. */
  readonly leading: string[] = [];
  readonly rights = new Map<string, Leadership>();

  static async open(): Promise<Bench> {
    return new Bench(await memoryDatabase());
  }

  private constructor(database: Database) {
    this.database = database;
  }

  start(holder: string, options: { clock?: Clock; database?: Database } = {}) {
    return lead({
      database: options.database ?? this.database,
      clock: options.clock ?? this.world,
      logger: silentLogger,
      name: 'sync',
      holder,
      work: async (leadership) => {
        this.leading.push(holder);
        this.rights.set(holder, leadership);
        await new Promise((resolve) => leadership.signal.addEventListener('abort', resolve));
        this.leading.splice(this.leading.indexOf(holder), 1);
      },
    });
  }

  /** So much time passes, in steps as small as a renewal. */
  async pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= 1_000) {
      await this.world.advance(Math.min(1_000, left));
      for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  mayWrite(holder: string): boolean {
    try {
      this.rights.get(holder)?.require();
      return this.rights.has(holder);
    } catch (error) {
      assert.ok(error instanceof NotLeading);
      return false;
    }
  }
}

/** A clock of a process that can be stopped, and set to another time. */
class ProcessClock implements Clock {
  readonly #world: Clock;
  offset = 0;
  #thawed: Promise<void> = Promise.resolve();
  thaw = () => {};

  constructor(world: Clock) {
    this.#world = world;
  }

  stop(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#thawed = promise;
    this.thaw = resolve;
  }

  now = () => this.#world.now() + this.offset;
  monotonic = () => this.#world.monotonic();

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    await this.#world.sleep(milliseconds, signal);
    await this.#thawed;
  }
}

describe('leading', () => {
  test('one of two leads, and goes on while it lives, however long', async () => {
    const bench = await Bench.open();
    const first = bench.start('first');
    await bench.pass(1_000);
    const second = bench.start('second');
    await bench.pass(5 * duration);
    assert.deepEqual(bench.leading, ['first']);
    assert.ok(bench.mayWrite('first'));
    await Promise.all([first.stop(), second.stop()]);
  });

  test('one that ends gives the lease back: the other leads at its next look', async () => {
    const bench = await Bench.open();
    const first = bench.start('first');
    await bench.pass(1_000);
    const second = bench.start('second');
    await bench.pass(1_000);
    await first.stop();
    assert.deepEqual(bench.leading, []);
    await bench.pass(renewal);
    assert.deepEqual(bench.leading, ['second']);
    assert.equal(bench.mayWrite('first'), false);
    await second.stop();
  });

  test('one that is stopped past its lease loses it, and may write no more when it wakes, before it has looked', async () => {
    const bench = await Bench.open();
    const clock = new ProcessClock(bench.world);
    const sleeper = bench.start('sleeper', { clock });
    await bench.pass(1_000);
    const other = bench.start('other');
    clock.stop();
    await bench.pass(patience + renewal);
    assert.equal(bench.mayWrite('sleeper'), false, 'its patience ends before others begin');
    assert.deepEqual(bench.leading, ['sleeper']);
    await bench.pass(duration);
    assert.deepEqual(bench.leading, ['sleeper', 'other'], 'the sleeper does not know yet');
    assert.deepEqual([bench.mayWrite('sleeper'), bench.mayWrite('other')], [false, true]);
    clock.thaw();
    await bench.pass(1_000);
    assert.deepEqual(bench.leading, ['other']);
    await Promise.all([sleeper.stop(), other.stop()]);
  });

  test('its transactions do not commit then', async () => {
    const bench = await Bench.open();
    const clock = new ProcessClock(bench.world);
    const sleeper = bench.start('sleeper', { clock });
    await bench.pass(1_000);
    const right = bench.rights.get('sleeper');
    assert.ok(right);
    const fenced = fencedDatabase(bench.database, right);
    const write = (host: string) =>
      fenced.transaction((queries) => queries.insertInto('zun_service').values({ host, report_count: 0 }).execute());
    await write('awake');
    clock.stop();
    await bench.pass(patience + 1_000);
    await assert.rejects(write('asleep'), NotLeading);
    const rows = await bench.database.queries.selectFrom('zun_service').select('host').execute();
    assert.deepEqual(
      rows.map(({ host }) => host),
      ['awake'],
    );
    clock.thaw();
    await sleeper.stop();
  });

  for (const offset of [-3_600_000, -20_000, 20_000, 3_600_000])
    test(`a clock that is ${offset / 1000} s off takes no lease from one who lives, and keeps none from one who died`, async () => {
      const bench = await Bench.open();
      const clock = new ProcessClock(bench.world);
      const living = bench.start('living', { clock });
      await bench.pass(1_000);
      const skewed = new ProcessClock(bench.world);
      skewed.offset = offset;
      const other = bench.start('other', { clock: skewed });
      await bench.pass(4 * duration);
      assert.deepEqual(bench.leading, ['living']);
      clock.stop();
      await bench.pass(duration + 2 * renewal);
      assert.ok(bench.leading.includes('other'));
      clock.thaw();
      await Promise.all([living.stop(), other.stop()]);
    });

  test('one whose database does not answer stops in time, and leads again when it does', async () => {
    const bench = await Bench.open();
    let hangs = false;
    const queries = new Proxy(bench.database.queries, {
      get(target, member) {
        if (hangs && member === 'updateTable') throw new Error('connect ECONNREFUSED');
        const value: unknown = Reflect.get(target, member, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const only = bench.start('only', { database: { ...bench.database, queries } });
    await bench.pass(1_000);
    hangs = true;
    await bench.pass(patience + renewal);
    assert.deepEqual(bench.leading, []);
    hangs = false;
    await bench.pass(duration + 2 * renewal);
    assert.deepEqual(bench.leading, ['only']);
    await only.stop();
  });

  test('leading and waiting cost one statement every five seconds each', async () => {
    let statements = 0;
    const dialect = sqlite(':memory:');
    const database = openDatabase(dialect, () => {
      statements += 1;
    });
    await migrate(database, dialect);
    const bench = await Bench.open();
    const first = bench.start('first', { database });
    await bench.pass(1_000);
    statements = 0;
    await bench.pass(60_000);
    assert.equal(statements, 12);
    const second = bench.start('second', { database });
    await bench.pass(1_000);
    statements = 0;
    await bench.pass(60_000);
    assert.equal(statements, 24);
    await Promise.all([first.stop(), second.stop()]);
  });

  test('of many that start at once one leads', async () => {
    const bench = await Bench.open();
    const all = Array.from({ length: 8 }, (_unused, index) => bench.start(`p${index}`));
    await bench.pass(2 * duration);
    assert.equal(bench.leading.length, 1);
    await Promise.all(all.map((one) => one.stop()));
  });
});
