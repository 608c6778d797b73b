import type { Placeholders } from './placeholders.ts';

/** One place where what we answer is not what was recorded. */
export interface Difference {
  /** `status`, `header location`, `json/status_reason`, `docker/Config/Env`. */
  place: string;
  expected: unknown;
  actual: unknown;
}

/** Says of a pair of values that it need not be looked into; `null` = look. */
export type Tolerance = (path: readonly string[], expected: unknown, actual: unknown) => boolean | null;

/** Where two JSON values differ once the placeholders are known. Members have no order. */
export function matchJson(
  expected: unknown,
  actual: unknown,
  placeholders: Placeholders,
  place: string,
  tolerates: Tolerance = () => null,
): Difference[] {
  const differences: Difference[] = [];
  const note = (path: readonly string[], one: unknown, other: unknown) =>
    differences.push({ place: [place, ...path].join('/'), expected: one, actual: other });
  const walk = (one: unknown, other: unknown, path: readonly string[]): void => {
    const verdict = tolerates(path, one, other);
    if (verdict !== null) {
      if (!verdict) note(path, one, other);
    } else if (Array.isArray(one) && Array.isArray(other)) {
      if (one.length !== other.length) return void note(path, one, other);
      for (const [index, item] of one.entries()) walk(item, other[index], [...path, String(index)]);
    } else if (isObject(one) && isObject(other)) {
      const names = pairedNames(one, other, placeholders);
      for (const [name, otherName] of names) walk(one[name], other[otherName], [...path, name]);
      const paired = new Set(names.map(([, otherName]) => otherName));
      for (const name of Object.keys(other).filter((candidate) => !paired.has(candidate))) note([...path, name], undefined, other[name]);
    } else if (typeof one === 'string' && typeof other === 'string') {
      if (!placeholders.matches(one, other)) note(path, one, other);
    } else if (one !== other) {
      note(path, one, other);
    }
  };
  walk(expected, actual, []);
  return differences;
}

/** Each recorded member with the name that ours has: the same, or the one that the placeholder in it can stand for. */
function pairedNames(one: Record<string, unknown>, other: Record<string, unknown>, placeholders: Placeholders): [string, string][] {
  const left = new Set(Object.keys(other));
  return Object.keys(one).map((name) => {
    const found = left.has(name) ? name : [...left].find((candidate) => name.includes('{') && placeholders.matches(name, candidate));
    left.delete(found ?? name);
    return [name, found ?? name];
  });
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
