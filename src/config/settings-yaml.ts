import { stringify } from 'yaml';
import type { SettingRow } from './setting-row.ts';

/** A setting as a configuration file has it. */
export interface SettingLine {
  row: SettingRow;
  value: unknown;
  /** Lines above it. */
  comments?: readonly string[];
  /** Written as a comment: its default counts. */
  isComment?: boolean;
}

/** A configuration file of these settings, one line each, by section in their order. Headings of sections are never comments. */
export function settingsYaml(lines: readonly SettingLine[]): string {
  const text: string[] = [];
  let section = '';
  for (const { row, value, comments = [], isComment } of lines) {
    const [first = '', second] = row.key.split('.');
    const indent = second === undefined ? '' : '  ';
    if (second !== undefined && first !== section) text.push(...(text.length > 0 ? [''] : []), `${first}:`);
    if (second !== undefined) section = first;
    for (const comment of comments) text.push(`${indent}# ${comment}`);
    text.push(`${indent}${isComment ? '# ' : ''}${second ?? first}: ${inYaml(value)}`);
  }
  return `${text.join('\n')}\n`;
}

/** On one line. */
function inYaml(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0, singleQuote: true }).trimEnd();
}
