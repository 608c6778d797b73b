import { type Minor, maximumMinor, minimumMinor, minorOf } from './api-version.ts';
import type { Operation, RouteRow } from './operation.ts';

export interface Endpoint {
  row: RouteRow;
  min: Minor;
  max: Minor;
  operation: Operation;
}

export interface RouteMatch {
  /** All version ranges of the matched route and method. */
  endpoints: Endpoint[];
  path: Record<string, string>;
}

export type Resolution = { kind: 'found'; match: RouteMatch } | { kind: 'no-route' } | { kind: 'no-method'; allow: string[] };

interface Pattern {
  segments: string[];
  methods: Map<string, Endpoint[]>;
}

/** Finds operations by path and method; the version is chosen later, since its error comes later. */
export class Router {
  readonly #patterns: Pattern[] = [];

  /** Throws when an operation names a route that the contract does not have. */
  constructor(rows: RouteRow[], operations: Operation[]) {
    for (const operation of operations) {
      const served = rows.filter((row) => `${row.method} ${row.path}` === operation.route);
      if (served.length === 0) throw new Error(`no route ${operation.route} in contract/routes.json`);
      for (const row of served) this.#add(row, operation);
    }
    // Literal segments before parameters: /v1/services/enable is not a service named enable.
    this.#patterns.sort((a, b) => parameterCount(a) - parameterCount(b));
  }

  #add(row: RouteRow, operation: Operation): void {
    const segments = segmentsOf(row.path);
    const key = segments.map(shape).join('/');
    let pattern = this.#patterns.find((candidate) => candidate.segments.map(shape).join('/') === key);
    if (!pattern) {
      pattern = { segments, methods: new Map() };
      this.#patterns.push(pattern);
    }
    const endpoint: Endpoint = {
      row: { ...row, path: row.path },
      min: row.min ? minorOf(row.min) : minimumMinor,
      max: row.max ? minorOf(row.max) : maximumMinor,
      operation,
    };
    pattern.methods.set(row.method, [...(pattern.methods.get(row.method) ?? []), endpoint]);
  }

  resolve(method: string, segments: string[]): Resolution {
    const allow = new Set<string>();
    for (const pattern of this.#patterns) {
      if (!matches(pattern.segments, segments)) continue;
      const endpoints = pattern.methods.get(method);
      const first = endpoints?.[0];
      if (endpoints && first) return { kind: 'found', match: { endpoints, path: bind(segmentsOf(first.row.path), segments) } };
      for (const name of pattern.methods.keys()) allow.add(name);
    }
    return allow.size > 0 ? { kind: 'no-method', allow: [...allow].sort() } : { kind: 'no-route' };
  }
}

export const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

const isParameter = (segment: string) => segment.startsWith('{');
const shape = (segment: string) => (isParameter(segment) ? '{}' : segment);
const parameterCount = (pattern: Pattern) => pattern.segments.filter(isParameter).length;

function matches(pattern: string[], segments: string[]): boolean {
  return pattern.length === segments.length && pattern.every((part, index) => isParameter(part) || part === segments[index]);
}

function bind(pattern: string[], segments: string[]): Record<string, string> {
  const bound: Record<string, string> = {};
  pattern.forEach((part, index) => {
    if (isParameter(part)) bound[part.slice(1, -1)] = segments[index] ?? '';
  });
  return bound;
}
