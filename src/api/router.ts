import { type Minor, maximumMinor, minimumMinor, minorOf } from './api-version.ts';
import { CollectionRoutes, isParameter } from './collection-routes.ts';
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
  /** Handler arguments that stand in the path beyond the route's own. */
  positional: Record<string, string>;
  /** Parameters of the route that the path leaves out: they come by name, from query or body. */
  unbound: string[];
}

export type Resolution =
  | { kind: 'found'; match: RouteMatch }
  /** With the operations that would have served a shorter path: another version has none, which is said first. */
  | { kind: 'no-route'; endpoints?: Endpoint[] }
  /** Nothing is there, and nobody looks at `Accept` to say so. */
  | { kind: 'too-short' }
  | { kind: 'no-method'; allow: string[] };

interface Pattern {
  segments: string[];
  methods: Map<string, Endpoint[]>;
}

/**
 * Finds operations by path and method; the version is chosen later, since its error comes later. What has not the form of a route is
 * judged as Pecan does: by the methods of the collection, with arguments by place or by name. Origin: pecan/rest.py, pecan/core.py.
 */
export class Router {
  readonly #patterns: Pattern[] = [];
  readonly #collections = new Map<string, CollectionRoutes>();

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
    const [, collection, ...rest] = segments;
    if (collection === undefined) return;
    const routes = this.#collections.get(collection) ?? new CollectionRoutes();
    routes.add(row, rest);
    this.#collections.set(collection, routes);
  }

  resolve(method: string, segments: string[]): Resolution {
    for (const pattern of this.#patterns) {
      if (!matches(pattern.segments, segments)) continue;
      const endpoints = pattern.methods.get(method);
      const first = endpoints?.[0];
      if (endpoints && first) {
        const path = bind(segmentsOf(first.row.path), segments);
        return { kind: 'found', match: { endpoints, path, positional: {}, unbound: [] } };
      }
    }
    const [version, name = '', ...rest] = segments;
    const collection = version === 'v1' ? this.#collections.get(name) : undefined;
    if (!collection) return method === 'GET' ? { kind: 'no-route' } : { kind: 'no-method', allow: ['GET'] };
    return this.#resolveWithin(collection, method, rest);
  }

  #resolveWithin(collection: CollectionRoutes, method: string, rest: string[]): Resolution {
    const noMethod: Resolution = { kind: 'no-method', allow: [...collection.methods].sort() };
    if (rest[1] !== undefined && collection.nested.has(rest[1])) {
      return method === 'GET' ? { kind: 'no-route' } : { kind: 'no-method', allow: ['GET'] };
    }
    const { memberRow } = collection;
    if (method === 'GET' && rest.length === 0) return memberRow ? { kind: 'too-short' } : noMethod;
    const served = collection.rowFor(method, rest);
    if (!served) return method === 'GET' && memberRow ? { kind: 'no-route', endpoints: this.#endpointsOf(memberRow) } : noMethod;
    const { row, positional } = served;
    const parameters = segmentsOf(row.path).filter(isParameter).map(parameterName);
    const named = [...(row.handler_args?.required ?? []), ...(row.handler_args?.optional ?? [])];
    const names = [...new Set([...parameters, ...named])];
    if (positional.length > names.length) return { kind: 'no-route', endpoints: this.#endpointsOf(row) };
    const bound = Object.fromEntries(positional.map((value, index) => [names[index] ?? '', value]));
    const isOfPath = ([parameter]: [string, string]) => parameters.includes(parameter);
    return {
      kind: 'found',
      match: {
        endpoints: this.#endpointsOf(row),
        path: Object.fromEntries(Object.entries(bound).filter(isOfPath)),
        positional: Object.fromEntries(Object.entries(bound).filter((entry) => !isOfPath(entry))),
        unbound: parameters.slice(positional.length),
      },
    };
  }

  #endpointsOf(row: RouteRow): Endpoint[] {
    const key = segmentsOf(row.path).map(shape).join('/');
    const pattern = this.#patterns.find((candidate) => candidate.segments.map(shape).join('/') === key);
    return pattern?.methods.get(row.method) ?? [];
  }
}

export const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

const parameterName = (segment: string) => segment.slice(1, -1);
const shape = (segment: string) => (isParameter(segment) ? '{}' : segment);
const parameterCount = (pattern: Pattern) => pattern.segments.filter(isParameter).length;

function matches(pattern: string[], segments: string[]): boolean {
  return pattern.length === segments.length && pattern.every((part, index) => isParameter(part) || part === segments[index]);
}

function bind(pattern: string[], segments: string[]): Record<string, string> {
  const bound: Record<string, string> = {};
  pattern.forEach((part, index) => {
    if (isParameter(part)) bound[parameterName(part)] = segments[index] ?? '';
  });
  return bound;
}
