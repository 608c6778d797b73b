/** A recorded value as its column holds it: JSON as text, booleans as 0/1, times in the database's form. */
export function columnValue(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  const time = typeof value === 'string' ? /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?$/.exec(value) : null;
  return time ? `${time[1]} ${time[2]}.${(time[3] ?? '').padEnd(6, '0')}` : value;
}

/** Whether a column holds what is recorded: JSON by value, times to the second (MariaDB keeps no more). */
export function isSameColumn(recorded: unknown, held: unknown): boolean {
  if (typeof recorded === 'object' && recorded !== null) {
    return typeof held === 'string' && canonical(parsedText(held)) === canonical(recorded);
  }
  const expected = columnValue(recorded);
  if (typeof expected === 'string' && typeof held === 'string' && expected !== recorded) return expected.slice(0, 19) === held.slice(0, 19);
  return expected === held || (expected === undefined && held === null);
}

function parsedText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
