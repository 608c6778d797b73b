import type { SettingPath } from './setting-row.ts';
import type { Settings } from './settings.ts';

/** What `settings` has at a path. */
export function settingAt(settings: Settings, path: SettingPath): unknown {
  return path.split('.').reduce<unknown>((holder, name) => (holder as Record<string, unknown>)[name], settings);
}

/** Puts a value that keeps to the setting's rule at a path. */
export function putSetting(settings: Settings, path: SettingPath, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const holder = names.reduce<unknown>((outer, name) => (outer as Record<string, unknown>)[name], settings);
  (holder as Record<string, unknown>)[last] = structuredClone(value);
}
