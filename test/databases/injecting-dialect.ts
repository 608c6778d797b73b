import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult, TransactionSettings } from 'kysely';

/** Makes one statement of a transaction fail as if another transaction had been in the way. */
export class ConflictInjection {
  /** Statements of transactions seen since `reset`, BEGIN apart and COMMIT included. */
  seen = 0;
  #at = 0;
  readonly #conflict: () => Error;

  constructor(conflict: () => Error) {
    this.#conflict = conflict;
  }

  /** Counts from 1 again and lets the statement with that number fail, once; 0 lets none fail. */
  reset(at: number): void {
    this.seen = 0;
    this.#at = at;
  }

  /** Call before a statement of a transaction is sent. */
  pass(): void {
    this.seen += 1;
    if (this.seen === this.#at) throw this.#conflict();
  }
}

/** A dialect whose transactions meet the conflicts of an injection. */
export function injectingDialect(dialect: Dialect, injection: ConflictInjection): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createDriver: () => new InjectingDriver(dialect.createDriver(), injection),
  };
}

class InjectingDriver implements Driver {
  readonly #driver: Driver;
  readonly #injection: ConflictInjection;

  constructor(driver: Driver, injection: ConflictInjection) {
    this.#driver = driver;
    this.#injection = injection;
  }

  init(): Promise<void> {
    return this.#driver.init();
  }

  destroy(): Promise<void> {
    return this.#driver.destroy();
  }

  async acquireConnection(): Promise<InjectingConnection> {
    return new InjectingConnection(await this.#driver.acquireConnection(), this.#injection);
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return this.#driver.releaseConnection(own(connection).inner);
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await this.#driver.beginTransaction(own(connection).inner, settings);
    own(connection).inTransaction = true;
  }

  /** Galera tells a certification failure here; the transaction is rolled back then, as Kysely does after an error. */
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    this.#injection.pass();
    await this.#driver.commitTransaction(own(connection).inner);
    own(connection).inTransaction = false;
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#driver.rollbackTransaction(own(connection).inner);
    own(connection).inTransaction = false;
  }
}

class InjectingConnection implements DatabaseConnection {
  inTransaction = false;
  readonly inner: DatabaseConnection;
  readonly #injection: ConflictInjection;

  constructor(inner: DatabaseConnection, injection: ConflictInjection) {
    this.inner = inner;
    this.#injection = injection;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.inTransaction) this.#injection.pass();
    return this.inner.executeQuery<R>(query);
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery<R>(query, chunkSize);
  }
}

function own(connection: DatabaseConnection): InjectingConnection {
  if (!(connection instanceof InjectingConnection)) throw new TypeError('a connection of another driver');
  return connection;
}
