import type { Settings } from './settings.ts';
import type { ValueRule } from './value-rule.ts';

type LeavesOf<T> = {
  [K in keyof T & string]: T[K] extends string | number | boolean | null | readonly unknown[]
    ? K
    : // A map has any key.
      string extends keyof T[K]
      ? K
      : `${K}.${LeavesOf<T[K]>}`;
}[keyof T & string];

/** A place in `Settings`: `api.listen.port`. */
export type SettingPath = LeavesOf<Settings>;

/** One setting of the configuration file: everything that is known of it. Its default is what `defaultSettings` has at `fields`. */
export interface SettingRow {
  /** `section.name` or `name`, as in the file; units are part of the name. */
  key: string;
  /** Where it goes; more than one where two parts are told the same. */
  fields: readonly [SettingPath, ...SettingPath[]];
  rule: ValueRule;
  /** For the operator, a sentence. */
  says: string;
  /** Options of the original as `group/name`: the first that is given counts. */
  replaces?: readonly string[];
  /** How the original's words are called here, in lower case: `{ '': 'none' }`. */
  words?: Readonly<Record<string, string>>;
  /** The original's number times this is the number here. */
  times?: number;
  /** The variable that wins over the file. */
  variable?: string;
  /** The default in words, where the machine or another setting decides it. */
  usually?: string;
  /** Shown as `***` only. */
  secret?: true;
}
