import { settingAt } from './setting-field.ts';
import type { Settings } from './settings.ts';
import { settingsTable } from './settings-table.ts';
import { settingsYaml } from './settings-yaml.ts';

/** All settings as YAML; secrets that are set as `***`. */
export function shownSettings(settings: Settings): string {
  return settingsYaml(
    settingsTable.map((row) => {
      const value = settingAt(settings, row.fields[0]);
      return { row, value: row.secret && value !== null ? '***' : value };
    }),
  );
}
