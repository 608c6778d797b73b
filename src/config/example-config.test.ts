import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { exampleConfig } from './example-config.ts';
import { parseSettings } from './parse-settings.ts';
import { settingAt } from './setting-field.ts';
import type { SettingPath } from './setting-row.ts';
import { defaultSettings } from './settings.ts';
import { settingsTable } from './settings-table.ts';
import { keepsTo } from './value-rule.ts';

const defaults = defaultSettings('node-1');

test('the example file is what the table says (else run tools/generate-config-files.ts)', () => {
  assert.equal(readFileSync(new URL('../../config/config.example.yaml', import.meta.url), 'utf8'), exampleConfig());
});

test('the example file sets nothing, and uncommented it sets everything to its default', () => {
  assert.equal(parseSettings(exampleConfig(), 'example', defaults).given.size, 0);
  const uncommented = exampleConfig().replaceAll(/^( *)# ([a-zA-Z]+: .*)$/gm, (line, indent: string, setting: string) =>
    settingsTable.some((row) => row.key.split('.').at(-1) === setting.split(':')[0]) ? indent + setting : line,
  );
  const { settings, given } = parseSettings(uncommented, 'example', defaultSettings('another'));
  assert.deepEqual(settings, defaults);
  assert.deepEqual([...given].sort(), settingsTable.map(({ key }) => key).sort());
});

test('every setting that the program has is in the table once, under a key of its own, and its default keeps to its rule', () => {
  const maps = new Set<string>(settingsTable.flatMap(({ fields, rule }) => (rule.type === 'map' ? fields : [])));
  const leaves = (value: unknown, path = ''): string[] =>
    value !== null && typeof value === 'object' && !Array.isArray(value) && !maps.has(path)
      ? Object.entries(value).flatMap(([name, member]) => leaves(member, path === '' ? name : `${path}.${name}`))
      : [path];
  assert.deepEqual(settingsTable.flatMap(({ fields }): readonly SettingPath[] => fields).sort(), leaves(defaults).sort());
  assert.equal(new Set(settingsTable.map(({ key }) => key)).size, settingsTable.length);
  for (const { key, fields, rule } of settingsTable) assert.ok(keepsTo(rule, settingAt(defaults, fields[0])), key);
});
