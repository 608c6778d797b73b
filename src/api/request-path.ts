/** What the path of a request says. */
export interface RequestPath {
  segments: string[];
  /** It ended in `.json`: then nobody looks at `Accept`. */
  isJson: boolean;
}

/**
 * The segments of a path: decoded, without empty ones (a trailing slash is accepted), without the `.json` suffix that Pecan strips,
 * and with `v1` put before a path that leaves it out (`/containers`, and `/v2` too). An empty one after `v1` is a collection
 * that is not there. `null` when the percent encoding is broken.
 */
export function requestPath(path: string): RequestPath | null {
  let segments: string[];
  try {
    segments = path
      .replace(/^\/+|(?<!\/)\/+$/g, '')
      .split('/')
      .map(decodeURIComponent);
  } catch {
    return null;
  }
  const last = segments.at(-1) ?? '';
  const isJson = last.endsWith('.json') && last !== '.json';
  if (isJson) segments[segments.length - 1] = last.slice(0, -'.json'.length);
  const [first] = segments;
  if (first === '') return { segments: [], isJson };
  if (first !== 'v1' && first !== '.json' && first !== 'healthcheck') segments.unshift('v1');
  return { segments: segments.filter((segment, index) => segment !== '' || index === 1), isJson };
}
