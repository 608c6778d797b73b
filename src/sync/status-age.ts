const SECOND = 1000;
const DAY = 86_400 * SECOND;
/** Docker's text for a time that never was. */
const ZERO_TIME = -62_135_596_800_000;
const STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

/**
 * How long ago a time of Docker's (`2026-03-01T11:59:59.123Z`, UTC, fraction ignored) was: `59 seconds`, `1 mins`, `23 hours`, `9 days`.
 * '' for Docker's zero time, `null` for what is no time and for less than a second. A time to come is `-1 days`.
 * Origin: zun/container/docker/driver.py, format_status_detail.
 */
export function statusAge(time: string, now: number): string | null {
  const stamp = time.slice(0, 19);
  const at = STAMP.test(stamp) ? Date.parse(`${stamp}Z`) : Number.NaN;
  if (Number.isNaN(at)) return null;
  return at === ZERO_TIME ? '' : ageText(now - at);
}

/** Milliseconds as one number and its unit; `null` below a second. */
export function ageText(milliseconds: number): string | null {
  const days = Math.floor(milliseconds / DAY);
  const seconds = Math.floor((milliseconds - days * DAY) / SECOND);
  if (days !== 0) return `${days} days`;
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)} hours`;
  if (seconds >= 60) return `${Math.floor(seconds / 60)} mins`;
  return seconds > 0 ? `${seconds} seconds` : null;
}
