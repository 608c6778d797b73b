import { isAlias, isMap, isScalar, LineCounter, type Node, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { ConfigurationError, type ConfigurationProblem } from './configuration-error.ts';
import { nearestName } from './nearest-name.ts';
import { settingConflicts } from './setting-conflicts.ts';
import { putSetting } from './setting-field.ts';
import type { SettingRow } from './setting-row.ts';
import type { Settings } from './settings.ts';
import { settingsTable } from './settings-table.ts';
import { keepsTo, ruleInWords } from './value-rule.ts';

export interface ParsedSettings {
  settings: Settings;
  /** Keys that the file has; all others are the defaults'. */
  given: ReadonlySet<string>;
}

const rows = new Map(settingsTable.map((row) => [row.key, row]));
const sections = new Map<string, string[]>();
for (const key of rows.keys()) {
  const [section = '', name] = key.split('.');
  if (name !== undefined) sections.set(section, [...(sections.get(section) ?? []), name]);
}
const topLevel = [...sections.keys(), ...[...rows.keys()].filter((key) => !key.includes('.'))];

/**
 * Reads a configuration file over `defaults`, which stay as they are. `file` is how messages name it. Throws a `ConfigurationError` with
 * the position of everything that is wrong: what is no YAML, unknown and repeated keys, values against their rule or against each other.
 */
export function parseSettings(text: string, file: string, defaults: Settings): ParsedSettings {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problems: ConfigurationProblem[] = [];
  const given = new Map<string, number>();
  const refuse = (offset: number, words: string) => {
    const { line, col } = lines.linePos(offset);
    problems.push({ line: Math.max(line, 1), column: Math.max(col, 1), words });
  };
  for (const { pos, message } of document.errors) refuse(pos[0], message);
  if (problems.length > 0) throw new ConfigurationError(file, problems);

  const settings = structuredClone(defaults);
  const target = (node: unknown): Node | null => {
    const found = isAlias(node) ? node.resolve(document) : node;
    return (found ?? null) as Node | null;
  };
  const take = (row: SettingRow, offset: number, written: unknown) => {
    const value: unknown = target(written)?.toJS(document) ?? null;
    given.set(row.key, offset);
    if (keepsTo(row.rule, value)) for (const field of row.fields) putSetting(settings, field, value);
    else
      refuse(
        (written as Node | null)?.range?.[0] ?? offset,
        `${row.key} is ${row.secret ? '***' : shown(value)}: ${ruleInWords(row.rule)} is wanted`,
      );
  };
  const walk = (map: YAMLMap, section: string | null) => {
    for (const pair of map.items as Pair<Node, unknown>[]) {
      const offset = pair.key?.range?.[0] ?? 0;
      const name = isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
      const key = section === null ? name : `${section}.${name}`;
      const row = rows.get(key);
      const node = target(pair.value);
      if (row) take(row, offset, pair.value);
      else if (section !== null || !sections.has(name)) refuse(offset, `there is no setting '${key}'${hint(name, section)}`);
      else if (isMap(node)) walk(node, name);
      else if (node && !(isScalar(node) && node.value === null))
        refuse(node.range?.[0] ?? offset, `${key} is a section: its settings are wanted below it`);
    }
  };
  const contents = target(document.contents);
  if (isMap(contents)) walk(contents, null);
  else if (contents && !(isScalar(contents) && contents.value === null)) refuse(contents.range?.[0] ?? 0, 'a map of settings is wanted');
  if (problems.length === 0) {
    for (const { keys, words } of settingConflicts(settings)) {
      const offset = keys.map((key) => given.get(key)).find((position) => position !== undefined);
      // What the file did not bring about is not the file's fault.
      if (offset !== undefined) refuse(offset, words);
    }
  }
  if (problems.length > 0) throw new ConfigurationError(file, problems);
  return { settings, given: new Set(given.keys()) };
}

/** `: api.port is meant?`; also when the name is right and the section is not. */
function hint(name: string, section: string | null): string {
  const siblings = section === null ? topLevel : (sections.get(section) ?? []);
  const near = nearestName(name, siblings);
  if (near !== null) return `; the nearest is '${section === null ? near : `${section}.${near}`}'`;
  const elsewhere = nearestName(
    name,
    [...rows.keys()].map((key) => key.split('.').at(-1) ?? key),
  );
  const key = [...rows.keys()].find((known) => known.split('.').at(-1) === elsewhere);
  return key === undefined ? `; there are ${siblings.join(', ')}` : `; the nearest is '${key}'`;
}

const shown = (value: unknown) =>
  typeof value === 'string' ? `'${value}'` : typeof value === 'number' ? String(value) : JSON.stringify(value);
