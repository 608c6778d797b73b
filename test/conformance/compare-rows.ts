import type { Difference } from './outcome.ts';
import type { RecordedRows, RowChanges } from './record.ts';
import { isSameColumn } from './recorded-value.ts';
import type { TableRow } from './replay-database.ts';

type Tables = Record<string, TableRow[]>;

/** Rows that the original's nodes write, or that are written here with the task: the node side, which is replaced. */
const tablesOfNodes = new Set(['container_actions_events', 'volume_mapping']);
/** Columns of which the same holds: the host is chosen before the row is written, and states are set with the wish. */
const columnsOfNodes: Record<string, ReadonlySet<string>> = {
  container: new Set(['host', 'task_state', 'status', 'updated_at']),
  volume: new Set(['host', 'cinder_volume_id']),
};
const writtenTimes = new Set(['updated_at']);

/** Compares what a request did to the original's tables with what is recorded. */
export function compareRows(
  recorded: Record<string, RowChanges>,
  before: Tables,
  after: Tables,
  volatile: ReadonlySet<string>,
): Difference[] {
  const differences: Difference[] = [];
  for (const table of Object.keys(after)) {
    if (tablesOfNodes.has(table)) continue;
    const changes = recorded[table] ?? {};
    const [old, now] = [byId(before[table] ?? []), byId(after[table] ?? [])];
    const ignored = new Set([...writtenTimes, ...(columnsOfNodes[table] ?? [])]);
    const note = (what: string, expected: unknown, actual: unknown) => differences.push({ place: `${what} of ${table}`, expected, actual });
    const inserted = [...now].filter(([id]) => !old.has(id)).map(([, row]) => row);
    compareInserted(changes, inserted, { table, ignored, note, volatile });
    compareUpdated(changes, old, now, { table, ignored, note });
    const gone = [...old.keys()].filter((id) => !now.has(id));
    const deleted = (changes.deleted ?? []).map((row) => keyOf(row as TableRow));
    if (gone.sort().join() !== deleted.sort().join()) note('rows deleted', deleted, gone);
  }
  return differences;
}

/** Compares whole tables as they are after a request. */
export function compareTables(recorded: RecordedRows, after: Tables, volatile: ReadonlySet<string>): Difference[] {
  const differences: Difference[] = [];
  for (const [table, rows] of Object.entries(recorded)) {
    if (tablesOfNodes.has(table)) continue;
    const ignored = new Set([...writtenTimes, ...(columnsOfNodes[table] ?? [])]);
    const note = (what: string, expected: unknown, actual: unknown) => differences.push({ place: `${what} of ${table}`, expected, actual });
    const site = { table, ignored, note, volatile, pointer: `/db_changed/${table}` };
    compareRowByRow(rows, after[table] ?? [], site);
  }
  return differences;
}

interface Site {
  table: string;
  ignored: ReadonlySet<string>;
  note: (what: string, expected: unknown, actual: unknown) => void;
}

function compareInserted(changes: RowChanges, inserted: TableRow[], site: Site & { volatile: ReadonlySet<string> }): void {
  compareRowByRow(changes.inserted ?? [], inserted, { ...site, pointer: `/db/${site.table}/inserted` });
}

interface RowSite extends Site {
  volatile: ReadonlySet<string>;
  pointer: string;
}

function compareRowByRow(recorded: Record<string, unknown>[], inserted: TableRow[], site: RowSite): void {
  if (recorded.length !== inserted.length) {
    site.note('rows inserted', recorded.length, inserted.length);
    return;
  }
  recorded.forEach((row, index) => {
    for (const [column, value] of Object.entries(row)) {
      // A row that its node has not changed yet says what the request made of it.
      const isIgnored = site.ignored.has(column) && !(site.table === 'container' && column === 'status');
      if (column === 'id' || isIgnored || site.volatile.has(`${site.pointer}/${index}/${column}`)) continue;
      const held = inserted[index]?.[column];
      if (!isSameColumn(value, held)) site.note(`column ${column}`, value, held);
    }
  });
}

function compareUpdated(changes: RowChanges, old: Map<string, TableRow>, now: Map<string, TableRow>, site: Site): void {
  const recorded = new Map((changes.updated ?? []).map(({ key, set }) => [key.join(), set]));
  for (const [id, row] of now) {
    const previous = old.get(id);
    if (!previous) continue;
    const set = recorded.get(id) ?? {};
    for (const column of Object.keys(row)) {
      if (site.ignored.has(column)) continue;
      const expected = column in set ? set[column] : previous[column];
      if (!isSameColumn(expected, row[column]) && expected !== row[column]) site.note(`column ${column}`, expected, row[column]);
    }
  }
}

const keyOf = (row: TableRow): string => String(row.id ?? row.uuid);
const byId = (rows: TableRow[]) => new Map(rows.map((row) => [keyOf(row), row]));
