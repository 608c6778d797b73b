/**
 * Epoch milliseconds as the database's columns hold them: `YYYY-MM-DD HH:MM:SS.ffffff`, UTC.
 * MariaDB's DATETIME drops the fraction; SQLite and PostgreSQL keep it, as under the original.
 */
export function databaseTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 23).replace('T', ' ')}000`;
}

/** The reverse; `null` stays `null`. */
export function fromDatabaseTime(text: string | null): number | null {
  return text === null ? null : Date.parse(`${text.slice(0, 23).replace(' ', 'T')}Z`);
}
