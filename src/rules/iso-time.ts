/** `2026-01-02T03:04:05.678000`, UTC: the times of actions and services. Origin: zun/common/utils.py, strtime. */
export function isoTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 23)}000`;
}
