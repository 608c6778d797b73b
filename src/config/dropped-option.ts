/** Options of the original that are no settings here. */
export interface DroppedOptions {
  group: string;
  /** `null`: all of the group that no other row names. A `*` at the end stands for any ending. */
  names: readonly string[] | null;
  /** A part to come that will heed them: a conversion keeps them as comments. */
  reservedFor?: string;
  /** The reason, a sentence. */
  why: string;
}

/** Finds the row that an option falls under; a row with its name comes before one of the whole group. */
export function droppedOption(table: readonly DroppedOptions[], group: string, name: string): DroppedOptions | null {
  const rows = table.filter((row) => row.group === group);
  const named = rows.find(({ names }) =>
    names?.some((known) => (known.endsWith('*') ? name.startsWith(known.slice(0, -1)) : known === name)),
  );
  return named ?? rows.find(({ names }) => names === null) ?? null;
}
