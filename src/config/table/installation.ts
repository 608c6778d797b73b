import type { SettingRow } from '../setting-row.ts';

/** What the installation is called, and keeps. */
export const installationRows: readonly SettingRow[] = [
  {
    key: 'host',
    fields: ['host'],
    rule: { type: 'text', pattern: /^\S{1,255}$/, wanted: 'a name of at most 255 characters without spaces' },
    says: 'The name of this node, under which containers are placed on it; it must not change while there are any.',
    usually: "the machine's name",
    replaces: ['DEFAULT/host'],
    variable: 'ZUN_NODE',
  },
  {
    key: 'encryptionKey',
    fields: ['encryptionKey'],
    rule: { type: 'text', pattern: /^[!-~ ]{32,}$/, wanted: 'at least 32 ASCII characters', orNull: true },
    says: 'What the passwords of registries are encrypted with; its first 32 characters count. null: encryption.key of the data folder.',
    replaces: ['DEFAULT/auth_encryption_key'],
    variable: 'ZUN_ENCRYPTION_KEY',
    secret: true,
  },
  {
    key: 'database.url',
    fields: ['databaseUrl'],
    rule: {
      type: 'text',
      pattern: /^(mysql|mariadb|postgresql|postgres|sqlite)(\+\w+)?:\/\/\S+$/,
      wanted: 'a URL of mysql, mariadb, postgresql or sqlite',
      orNull: true,
    },
    says: 'The database: mysql://user:password@host/zun, postgresql://…; one that the original has filled is adopted. null: SQLite in the data folder.',
    replaces: ['database/connection'],
    variable: 'ZUN_DATABASE',
    secret: true,
  },
];
