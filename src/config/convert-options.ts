import { type DroppedOptions, droppedOption } from './dropped-option.ts';
import { droppedOptions } from './dropped-options.ts';
import { originalName } from './example-config.ts';
import { libraryOptions } from './library-options.ts';
import type { OriginalOption } from './original-options.ts';
import type { OsloFile } from './oslo-file.ts';
import { withReferences } from './oslo-references.ts';
import type { SettingRow } from './setting-row.ts';
import { settingsTable } from './settings-table.ts';
import { type SettingLine, settingsYaml } from './settings-yaml.ts';
import { keepsTo, ruleInWords } from './value-rule.ts';

/** An option of a `zun.conf` that is not in the new file, or not as it was. */
export interface ConversionNote {
  /** `[group]/name`. */
  option: string;
  kind: 'reserved' | 'refused' | 'dropped' | 'unknown';
  /** On one line; `***` for what may be a secret. */
  value: string;
  why: string;
}

export interface Conversion {
  /** The configuration file; what was left out stands at its end as comments. */
  yaml: string;
  notes: ConversionNote[];
}

const headings: Record<ConversionNote['kind'], string> = {
  refused: 'Not taken: look at these',
  unknown: 'Not known as options of Zun 18.0.0',
  reserved: 'Reserved for parts to come',
  dropped: 'Dropped',
};

interface Given {
  group: string;
  name: string;
  values: readonly string[];
}

/** Turns the settings of a `zun.conf` into a configuration file. Only what the `zun.conf` names is written: defaults differ in little. */
export function convertOptions(file: OsloFile, options: readonly OriginalOption[]): Conversion {
  const given = [...file].flatMap(([group, names]) =>
    [...names].map(
      ([name, values]): Given => ({
        group,
        name: name.replaceAll('-', '_'),
        values: values.map((each) => withReferences(each, group, file, options)),
      }),
    ),
  );
  const byOption = new Map(given.map((each) => [`${each.group}/${each.name}`, each]));
  const notes: ConversionNote[] = [];
  const lines: SettingLine[] = [];
  for (const row of settingsTable) {
    const [first, ...others] = (row.replaces ?? []).flatMap((option) => byOption.get(option) ?? []);
    if (!first) continue;
    for (const other of others) notes.push(note('dropped', other, `${optionOf(first)} counts before it.`));
    const taken = takenFrom(row, first);
    if ('value' in taken) lines.push({ row, value: taken.value, comments: [`from ${optionOf(first)}`] });
    for (const why of taken.refused) notes.push(note('refused', first, why));
  }
  const replaced = new Set(settingsTable.flatMap(({ replaces = [] }) => replaces));
  for (const each of given) if (!replaced.has(`${each.group}/${each.name}`)) notes.push(noteOfDropped(each));
  return { yaml: `${lines.length > 0 ? settingsYaml(lines) : ''}${notesAsComments(notes)}`, notes };
}

/** The value as it is here, and what of it cannot be. */
function takenFrom(row: SettingRow, { values }: Given): { value?: unknown; refused: string[] } {
  const text = (values.at(-1) ?? '').trim();
  const [reference] = /\$\{?[\w.]+\}?/.exec(row.secret ? '' : text) ?? [];
  if (reference !== undefined) return { refused: [`What ${reference} stands for cannot be known here: set ${row.key}.`] };
  const plain = row.words?.[text.toLowerCase()] ?? text;
  if (row.rule.type === 'list') return listOf(row, plain);
  const value = plainValue(row, plain);
  return keepsTo(row.rule, value) ? { value, refused: [] } : { refused: [`${row.key} has to be ${ruleInWords(row.rule)}.`] };
}

/** Of one text; options that are switches or maps have no setting here. */
function plainValue({ rule, times = 1 }: SettingRow, plain: string): unknown {
  if (rule.type === 'number') return numberOf(plain) * times;
  return plain === '' && rule.type === 'text' && rule.orNull ? null : plain;
}

/** oslo.config takes `a, b`, and quotes around an item. */
function listOf(row: SettingRow, text: string): { value: unknown; refused: string[] } {
  const items = text
    .split(/[,\n]/)
    .map((item) => item.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter((item) => item !== '');
  const value = items.filter((item) => keepsTo(row.rule, [item]));
  const others = items.filter((item) => !value.includes(item));
  return { value, refused: others.map((item) => `Without '${item}': ${row.key} has to be ${ruleInWords(row.rule)}.`) };
}

const numberOf = (text: string) => (/^[-+]?(\d|\.\d)/.test(text) ? Number(text) : Number.NaN);

const optionOf = ({ group, name }: Given) => originalName(`${group}/${name}`);

function noteOfDropped(given: Given): ConversionNote {
  const row: DroppedOptions | null =
    droppedOption(droppedOptions, given.group, given.name) ?? droppedOption(libraryOptions, given.group, given.name);
  if (!row) return note('unknown', given, 'Nothing is done with it.');
  return row.reservedFor ? note('reserved', given, `Reserved for ${row.reservedFor}. ${row.why}`) : note('dropped', given, row.why);
}

/** URLs of databases and buses hold passwords. */
const secretName = /password|passwd|secret|token|credential|connection|transport_url|key$|keys$/;

function note(kind: ConversionNote['kind'], given: Given, why: string): ConversionNote {
  const value = secretName.test(given.name) ? '***' : given.values.join(', ').replaceAll(/\s+/g, ' ');
  return { option: optionOf(given), kind, value, why };
}

function notesAsComments(notes: readonly ConversionNote[]): string {
  const kinds = Object.keys(headings) as ConversionNote['kind'][];
  return kinds
    .map((kind) => {
      const lines = notes.filter((each) => each.kind === kind).map(({ option, value, why }) => `# ${option} = ${value}\n#     ${why}\n`);
      return lines.length > 0 ? `\n# ${headings[kind]}:\n${lines.join('')}` : '';
    })
    .join('');
}
