import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.generated.ts';

/** A connection or a transaction: what a store's query runs on. */
export type Queries = Kysely<Schema>;

export interface Database {
  readonly queries: Queries;
  /**
   * Runs the closure in one transaction and commits. On a serialization conflict the whole closure runs again,
   * so it must do nothing but queries on the transaction it is given.
   */
  transaction<T>(closure: (transaction: Transaction<Schema>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
