import { settingAt } from './setting-field.ts';
import type { SettingRow } from './setting-row.ts';
import { defaultSettings } from './settings.ts';
import { settingsTable } from './settings-table.ts';
import { settingsYaml } from './settings-yaml.ts';
import { ruleInWords } from './value-rule.ts';

const head = `# Every setting of Zun with its default. What is not set, or is a comment, has its default.
# standalone reads zun.yaml of its data folder (ZUN_DATA), the programs of their own /etc/zun/zun.yaml, and either the file that ZUN_CONFIG names.
# Variables of the environment win over the file.
# Check a file with: zun config check FILE. See what is in force with: zun config show
# Made by tools/generate-config-files.ts from src/config/settings-table.ts.

`;

/** `config/config.example.yaml`: each setting with its sentence, its rule, what it replaces, and its default as a comment. */
export function exampleConfig(): string {
  const defaults = defaultSettings('node-1');
  const lines = settingsTable.map((row) => ({
    row,
    value: settingAt(defaults, row.fields[0]),
    comments: commentsOf(row),
    isComment: true,
  }));
  return head + settingsYaml(lines);
}

function commentsOf(row: SettingRow): string[] {
  const facts = [
    `${ruleInWords(row.rule)}`,
    ...(row.usually ? [`default: ${row.usually}`] : []),
    ...(row.variable ? [`variable: ${row.variable}`] : []),
    ...(row.replaces ? [`was: ${row.replaces.map(originalName).join(', ')}`] : []),
  ];
  return [row.says, `(${facts.join('; ')})`];
}

/** `[api]/port`, as Zun's documentation writes it. */
export function originalName(option: string): string {
  return option.replace(/^([^/]+)\//, '[$1]/');
}
