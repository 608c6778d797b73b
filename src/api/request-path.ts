/**
 * The segments of a request's path: decoded, without empty ones (a trailing slash is accepted), without the
 * `.json` suffix that Pecan strips, and with `v1` put before a path that leaves it out (`/containers`).
 * `null` when the percent encoding is broken.
 */
export function requestSegments(path: string): string[] | null {
  let segments: string[];
  try {
    segments = path
      .split('/')
      .filter((segment) => segment !== '')
      .map(decodeURIComponent);
  } catch {
    return null;
  }
  const [first] = segments;
  if (first === undefined) return segments;
  if (first !== 'v1' && !/^v\d/i.test(first) && first !== '.json' && first !== 'healthcheck') segments.unshift('v1');
  const last = segments.at(-1);
  if (last?.endsWith('.json') && last !== '.json') segments[segments.length - 1] = last.slice(0, -'.json'.length);
  return segments;
}
