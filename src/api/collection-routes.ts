import type { RouteRow } from './operation.ts';

/** A custom action of a collection's members: `POST …/{ident}/start`. */
interface Action {
  method: string;
  name: string;
  row: RouteRow;
}

/** What a collection's controller can do: the frame within which paths are 404 and 405, and arguments are bound. */
export class CollectionRoutes {
  /** Of the plain operations, for `Allow`. */
  readonly methods = new Set<string>();
  /** The plain operation of each method; GET of one member. */
  readonly #plain = new Map<string, RouteRow>();
  readonly #actions: Action[] = [];
  /** Nested collections: `container_actions`. */
  readonly nested = new Set<string>();

  /** `rest` is what stands after `/v1/<collection>`. */
  add(row: RouteRow, rest: string[]): void {
    const [ident, name, ...more] = rest;
    const isPlain = ident === undefined || (isParameter(ident) && name === undefined);
    if (isPlain) {
      this.methods.add(row.method);
      if (row.method !== 'GET' || ident !== undefined) this.#plain.set(row.method, row);
    } else if (more.some(isParameter)) {
      this.nested.add(String(name));
    } else {
      this.#actions.push({ method: row.method, name: name ?? ident, row });
    }
  }

  /** The row that serves a path which has not the form of its own: an action or operation that gets arguments by place or by name. */
  rowFor(method: string, rest: string[]): { row: RouteRow; positional: string[] } | null {
    const name = rest.at(-1);
    const action = this.#actions.find((candidate) => candidate.method === method && candidate.name === name);
    if (action) return { row: action.row, positional: rest.slice(0, -1) };
    const row = method === 'GET' ? undefined : this.#plain.get(method);
    return row ? { row, positional: rest } : null;
  }

  /** GET of a member. Where there is one, a longer path has too many arguments (404) rather than no method (405). */
  get memberRow(): RouteRow | undefined {
    return this.#plain.get('GET');
  }
}

export const isParameter = (segment: string): boolean => segment.startsWith('{');
