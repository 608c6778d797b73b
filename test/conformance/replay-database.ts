import { sql } from 'kysely';
import { contractTables } from '../../src/db/contract-tables.ts';
import type { Database, Queries } from '../../src/db/database.ts';
import { ownTables } from '../../src/db/own-tables.ts';
import { memoryDatabase } from '../contract/memory-database.ts';
import type { RecordedRows } from './record.ts';
import { columnValue } from './recorded-value.ts';

export type TableRow = Record<string, unknown>;

/** The database of a replay: filled with a record's rows, looked at afterwards, and filled anew only when a request changed it. */
export class ReplayDatabase {
  readonly database: Database;
  readonly #tables = contractTables()
    .map(([name]) => name)
    .filter((name) => name !== 'alembic_version');
  #filledWith: RecordedRows | null = null;
  #changes = 0;

  private constructor(database: Database) {
    this.database = database;
  }

  static async open(): Promise<ReplayDatabase> {
    const opened = new ReplayDatabase(await memoryDatabase());
    // Rows of the tests stand alone: a container may name a registry that no row has.
    await sql`pragma foreign_keys = off`.execute(opened.database.queries);
    return opened;
  }

  /** Lets a table hold rows that contradict each other, as mocked lookups return them. */
  async dropConstraints(table: string): Promise<void> {
    const { queries } = this.database;
    await sql`create table unbound as select * from ${sql.table(table)} where false`.execute(queries);
    await sql`drop table ${sql.table(table)}`.execute(queries);
    await sql`alter table unbound rename to ${sql.table(table)}`.execute(queries);
  }

  /** Exactly these rows, in the original's tables; nothing in the others. */
  async fill(rows: RecordedRows): Promise<void> {
    const { queries } = this.database;
    if (this.#filledWith === rows && (await this.#changeCount()) === this.#changes) return;
    await this.database.transaction(async (transaction) => {
      for (const table of [...this.#tables, ...Object.keys(ownTables)]) await sql`delete from ${sql.table(table)}`.execute(transaction);
      for (const [table, records] of Object.entries(rows)) for (const record of records) await insert(transaction, table, record);
    });
    this.#filledWith = rows;
    this.#changes = await this.#changeCount(queries);
  }

  /** Whether anything was written since the last `fill`. */
  async isChanged(): Promise<boolean> {
    return (await this.#changeCount()) !== this.#changes;
  }

  /** All rows of the original's tables. */
  async tables(): Promise<Record<string, TableRow[]>> {
    const held: Record<string, TableRow[]> = {};
    for (const table of this.#tables) held[table] = await this.rows(table);
    return held;
  }

  async rows(table: string): Promise<TableRow[]> {
    return (await sql<TableRow>`select * from ${sql.table(table)}`.execute(this.database.queries)).rows;
  }

  async #changeCount(queries: Queries = this.database.queries): Promise<number> {
    const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(queries);
    return rows[0]?.count ?? 0;
  }
}

/** Rows that mocked lookups returned may lack what the table demands: nothing of it is asked for. */
const demanded = new Map(
  contractTables().map(([name, { columns }]) => [
    name,
    columns
      .filter((column) => !column.nullable && column.default === null && column.name !== 'id')
      .map((column): [string, unknown] => [column.name, /CHAR|TEXT/.test(column.type) ? '' : 0]),
  ]),
);

async function insert(queries: Queries, table: string, record: Record<string, unknown>): Promise<void> {
  const given = Object.entries(record).filter(([, value]) => value !== undefined && value !== null);
  const entries = Object.entries({ ...Object.fromEntries(demanded.get(table) ?? []), ...Object.fromEntries(given) });
  const names = sql.join(entries.map(([name]) => sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${names}) values (${sql.join(entries.map(([, value]) => columnValue(value)))})`.execute(
    queries,
  );
}
