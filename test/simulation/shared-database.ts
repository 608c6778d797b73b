import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Dialect as KyselyDialect,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Database } from '../../src/db/database.ts';
import { sqlite } from '../../src/db/dialect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import type { Clock } from '../../src/telemetry/clock.ts';
import type { Ids } from '../../src/telemetry/ids.ts';
import { Life } from './life.ts';

const isRead = /^select/;
/** Leaders, agents: often, and nothing that a snapshot shows. */
const isSignOfLife = /^(insert into|update) "(openkeel_lease|zun_service|compute_node|openkeel_local_node)"/;

/** One database in memory for several processes, each with connections of its own: one that dies is rolled back. */
export class SharedDatabase {
  readonly #driver: Driver;
  #holder: Promise<void> = Promise.resolve();
  /** Statements so far, and those among them that may have changed what a snapshot shows. */
  statements = 0;
  writes = 0;

  private constructor(driver: Driver) {
    this.#driver = driver;
  }

  static async open(): Promise<SharedDatabase> {
    const { kysely } = sqlite(':memory:');
    const shared = new SharedDatabase(kysely.createDriver());
    await shared.#driver.init();
    const life = new Life();
    const dialect = { ...sqlite(':memory:'), kysely: shared.#dialect(life) };
    await migrate(openDatabase(dialect), dialect);
    return shared;
  }

  /** A process's own way to it. */
  connect(life: Life, clock: Clock, ids: Ids): Database {
    return openDatabase({ ...sqlite(':memory:'), kysely: this.#dialect(life) }, undefined, { clock, ids });
  }

  close(): Promise<void> {
    return this.#driver.destroy();
  }

  #dialect(life: Life): KyselyDialect {
    return {
      createDriver: () => new ProcessDriver(this, this.#driver, life),
      createAdapter: () => new SqliteAdapter(),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    };
  }

  /** SQLite has one connection: its users take turns. Answers what ends the turn. */
  async turn(): Promise<() => void> {
    const before = this.#holder;
    let end = () => {};
    this.#holder = new Promise((resolve) => (end = resolve));
    await before;
    return end;
  }
}

class ProcessDriver implements Driver {
  readonly #shared: SharedDatabase;
  readonly #driver: Driver;
  readonly #life: Life;

  constructor(shared: SharedDatabase, driver: Driver, life: Life) {
    this.#shared = shared;
    this.#driver = driver;
    this.#life = life;
  }

  async init(): Promise<void> {}
  async destroy(): Promise<void> {}

  async acquireConnection(): Promise<ProcessConnection> {
    for (;;) {
      const end = await this.#shared.turn();
      if (!this.#life.alive) end();
      const connection = new ProcessConnection(this.#shared, await this.#driver.acquireConnection(), this.#life, end);
      await this.#life.step();
      if (!connection.isCut) return connection;
    }
  }

  beginTransaction(connection: ProcessConnection): Promise<void> {
    return connection.transact('begin');
  }

  commitTransaction(connection: ProcessConnection): Promise<void> {
    return connection.transact('commit');
  }

  rollbackTransaction(connection: ProcessConnection): Promise<void> {
    return connection.transact('rollback');
  }

  async releaseConnection(connection: ProcessConnection): Promise<void> {
    connection.release();
  }
}

class ProcessConnection implements DatabaseConnection {
  readonly #shared: SharedDatabase;
  readonly #connection: DatabaseConnection;
  readonly #life: Life;
  readonly #end: () => void;
  #begun = false;
  #released = false;
  readonly #forget: () => void;
  /** The server has ended it: of a process that is gone, or that was stopped in the middle of something. */
  isCut = false;

  constructor(shared: SharedDatabase, connection: DatabaseConnection, life: Life, end: () => void) {
    this.#shared = shared;
    this.#connection = connection;
    this.#life = life;
    this.#end = end;
    const calls = [life.onDeath(() => void this.#cut()), life.onStop(() => void this.#cut())];
    this.#forget = () => {
      for (const callOff of calls) callOff();
    };
  }

  async executeQuery<Row>(query: CompiledQuery) {
    await this.#life.step();
    // Outside a transaction it is sent again over another connection, as the resilient driver does.
    const end = this.isCut && !this.#begun ? await this.#shared.turn() : null;
    if (end === null) this.#requireConnection();
    try {
      this.#shared.statements += 1;
      if (!isRead.test(query.sql) && !isSignOfLife.test(query.sql)) this.#shared.writes += 1;
      return await this.#connection.executeQuery<Row>(query);
    } finally {
      end?.();
    }
  }

  async transact(statement: 'begin' | 'commit' | 'rollback'): Promise<void> {
    await this.#life.step();
    this.#requireConnection();
    // Together: SQLite runs it before anybody else has a turn, and who cuts the connection has to know.
    this.#begun = statement === 'begin';
    await this.#run(statement);
    // The answer to a commit may be lost as well.
    if (statement === 'commit') await this.#life.step();
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#forget();
    this.#end();
  }

  async *streamQuery(): AsyncIterableIterator<never> {
    yield await Promise.reject(new Error('nothing here reads streams'));
  }

  #requireConnection(): void {
    if (this.isCut) throw new Error('Connection lost: the server has ended it');
  }

  /** What the server does for a client that is gone, or says nothing for a while in the middle of a transaction. */
  async #cut(): Promise<void> {
    if (this.#released) return;
    this.#released = true;
    this.isCut = true;
    if (this.#begun) await this.#run('rollback');
    this.#end();
  }

  async #run(sql: string): Promise<void> {
    await this.#connection.executeQuery({ sql, parameters: [] } as unknown as CompiledQuery);
  }
}
