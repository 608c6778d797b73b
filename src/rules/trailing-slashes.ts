/** The path without slashes at its end, unless nothing would be left. Origin: zun/common/utils.py, safe_rstrip. */
export function withoutTrailingSlashes(path: string): string {
  return path.replace(/(?<!\/)\/+$/, '') || path;
}
