import { invalidValue } from '../../errors/catalogue.ts';

/** The year 9999 ends. Later seconds are a number too long for some engines, and mean nothing more. */
const lastSecond = 253_402_300_799;

/**
 * `since` of logs as epoch seconds: a number of them, or `YYYY-MM-DD HH:MM:SS,mmm` in UTC; 0 when absent or empty. Throws
 * InvalidValue (400) for a date that the schema lets through and no calendar has; the original answers 500.
 * Origin: zun/container/docker/driver.py (show_logs).
 */
export function logsSince(value: unknown): number {
  const text = String(value ?? '');
  if (text === '' || text === 'None') return 0;
  if (/^\d+$/.test(text)) return Math.min(Number(text), lastSecond);
  const [, day, time, fraction = ''] = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}),(\d{1,3})$/.exec(text) ?? [];
  const milliseconds = Date.parse(`${day}T${time}.${fraction.padEnd(3, '0')}Z`);
  const isReal = !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(`${day}T${time}`);
  if (!isReal) throw invalidValue(`Invalid value '${text}' for since: epoch seconds or a time 'YYYY-MM-DD HH:MM:SS,mmm' is wanted.`);
  return Math.max(0, Math.floor(milliseconds / 1000));
}
