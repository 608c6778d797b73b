import type { DroppedOptions } from './dropped-option.ts';
import { droppedOptions } from './dropped-options.ts';
import { libraryOptions } from './library-options.ts';
import { settingsTable } from './settings-table.ts';

/** `config/dropped-options.md`: what became of each option of the original. */
export function droppedOptionsDocument(): string {
  const kept = settingsTable.flatMap(({ key, replaces = [] }) => replaces.map((option) => `| \`${withGroup(option)}\` | \`${key}\` |`));
  return `# Options of the original

What becomes of each option of a \`zun.conf\` (Zun 18.0.0). \`zun config convert zun.conf\` does the same with a file, and lists what it
left out. Made by \`tools/generate-config-files.ts\` from \`src/config/settings-table.ts\`, \`dropped-options.ts\` and \`library-options.ts\`.

## Became a setting

| option | setting |
| --- | --- |
${kept.sort().join('\n')}

## Reserved for parts to come

A conversion keeps them as comments.

| option | for | now |
| --- | --- | --- |
${tableOf([...droppedOptions, ...libraryOptions], true)}

## Dropped

| option | why |
| --- | --- |
${tableOf(droppedOptions, false)}

## Dropped, of the original's libraries

| option | why |
| --- | --- |
${tableOf(libraryOptions, false)}
`;
}

function tableOf(rows: readonly DroppedOptions[], reserved: boolean): string {
  return rows
    .filter(({ reservedFor }) => (reservedFor !== undefined) === reserved)
    .flatMap(({ group, names, reservedFor, why }) =>
      (names ?? ['…']).map((name) => `| \`${withGroup(`${group}/${name}`)}\` |${reservedFor ? ` ${reservedFor} |` : ''} ${why} |`),
    )
    .join('\n');
}

const withGroup = (option: string) => option.replace(/^([^/]+)\//, '[$1] ');
