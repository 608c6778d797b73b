import type { SettingRow } from '../setting-row.ts';

/** What is logged. */
export const logRows: readonly SettingRow[] = [
  {
    key: 'log.level',
    fields: ['log.level'],
    rule: { type: 'text', oneOf: ['debug', 'info', 'warn', 'error', 'silent'] },
    says: 'The least level that is logged.',
    replaces: ['DEFAULT/debug'],
    words: { true: 'debug', 1: 'debug', yes: 'debug', on: 'debug', false: 'info', 0: 'info', no: 'info', off: 'info' },
    variable: 'ZUN_LOG',
  },
];
