import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely';
import type { Clock } from '../telemetry/clock.ts';
import { CommitUnknown, connectionFailure } from './connection-failure.ts';

/** Milliseconds before each further attempt: bridges a restart or a fail-over of the server, not an outage. */
const reconnectDelays: readonly number[] = [0, 50, 200, 500, 1000];

/** Makes sure that a session does not come back out of the driver's pool once it is released. */
export type Discard = (connection: DatabaseConnection, driver: Driver) => Promise<void>;

/**
 * Sends reads outside transactions, and statements that were certainly not executed, again on another connection when theirs breaks.
 * A write whose answer was lost is not sent again: it may have happened. Broken sessions do not go back to the pool: a server that is
 * read-only now, or has left its cluster, would be asked again through it.
 */
export class ResilientDriver implements Driver {
  readonly #driver: Driver;
  readonly #discard: Discard;
  readonly #clock: Clock;

  constructor(driver: Driver, discard: Discard, clock: Clock) {
    this.#driver = driver;
    this.#discard = discard;
    this.#clock = clock;
  }

  init(): Promise<void> {
    return this.#driver.init();
  }

  destroy(): Promise<void> {
    return this.#driver.destroy();
  }

  /** Takes a connection from the pool only when the first statement comes. */
  async acquireConnection(): Promise<ResilientConnection> {
    return new ResilientConnection(this.#driver, this.#discard, this.#clock);
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await own(connection).release();
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const session = own(connection);
    await session.send((inner) => this.#driver.beginTransaction(inner, settings), true);
    session.inTransaction = true;
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const session = own(connection);
    try {
      await session.send((inner) => this.#driver.commitTransaction(inner), false);
    } catch (error) {
      throw connectionFailure(error) === 'lost' ? new CommitUnknown(error) : error;
    }
    session.inTransaction = false;
  }

  /** What a broken session had begun, the server has rolled back. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const session = own(connection);
    try {
      if (!session.broken) await session.send((inner) => this.#driver.rollbackTransaction(inner), false);
    } catch (error) {
      if (!connectionFailure(error)) throw error;
    }
    session.inTransaction = false;
  }
}

class ResilientConnection implements DatabaseConnection {
  /** Set between BEGIN and its end: there nothing can be sent again on another connection. */
  inTransaction = false;
  broken = false;
  #inner: DatabaseConnection | null = null;
  readonly #driver: Driver;
  readonly #discard: Discard;
  readonly #clock: Clock;

  constructor(driver: Driver, discard: Discard, clock: Clock) {
    this.#driver = driver;
    this.#discard = discard;
    this.#clock = clock;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.send((inner) => inner.executeQuery<R>(query), query.query.kind === 'SelectQueryNode');
  }

  async *streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    this.#inner ??= await this.#driver.acquireConnection();
    yield* this.#inner.streamQuery<R>(query, chunkSize);
  }

  /** `repeatable`: may be sent again though it may have been executed. */
  async send<T>(action: (inner: DatabaseConnection) => Promise<T>, repeatable: boolean): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      let sent = false;
      try {
        this.#inner ??= await this.#driver.acquireConnection();
        sent = true;
        return await action(this.#inner);
      } catch (error) {
        const failure = connectionFailure(error);
        if (!failure) throw error;
        this.broken = this.#inner !== null;
        const delay = reconnectDelays[attempt];
        const certainlyNotDone = !sent || failure === 'refused';
        if (delay === undefined || this.inTransaction || !(repeatable || certainlyNotDone)) throw error;
        await this.release();
        await this.#clock.sleep(delay);
      }
    }
  }

  async release(): Promise<void> {
    const inner = this.#inner;
    this.#inner = null;
    if (!inner) return;
    if (this.broken) await this.#discard(inner, this.#driver).catch(() => undefined);
    this.broken = false;
    await this.#driver.releaseConnection(inner);
  }
}

function own(connection: DatabaseConnection): ResilientConnection {
  if (!(connection instanceof ResilientConnection)) throw new TypeError('a connection of another driver');
  return connection;
}
