import type { Difference } from './outcome.ts';

/**
 * The places where two JSON values differ. Members have no order; what lies at a pointer of `ignored` is not looked at.
 * Places are named down to the second level: deeper ones are one difference there.
 */
export function compareJson(
  expected: unknown,
  actual: unknown,
  options: { place: string; pointer: string; ignored: ReadonlySet<string> },
): Difference[] {
  const differing = new Map<string, Difference>();
  const note = (path: string[], one: unknown, other: unknown) => {
    const place = [options.place, ...path.slice(0, 1)].join('/');
    if (!differing.has(place)) differing.set(place, { place, expected: one, actual: other });
  };
  const walk = (one: unknown, other: unknown, path: string[]): void => {
    if (options.ignored.has([options.pointer, ...path].join('/'))) return;
    if (Array.isArray(one) && Array.isArray(other)) {
      if (one.length === other.length) for (const [index, item] of one.entries()) walk(item, other[index], [...path, String(index)]);
      else note(path, one, other);
    } else if (isObject(one) && isObject(other)) {
      for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) walk(one[key], other[key], [...path, escaped(key)]);
    } else if (one !== other) {
      note(path, one, other);
    }
  };
  walk(expected, actual, []);
  return [...differing.values()];
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');
