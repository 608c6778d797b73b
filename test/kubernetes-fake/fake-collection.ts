import type { ServerResponse } from 'node:http';
import type { Asked } from './fake-api-server.ts';

export interface FakeObject {
  metadata: { name: string; resourceVersion: string };
  value: number;
}

interface Change {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: FakeObject;
  version: number;
}

/** Objects with versions, listed by pages and watched as by an API server, with the faults that tests ask for. */
export class FakeCollection {
  readonly objects = new Map<string, FakeObject>();
  /** Names of the objects in the lists that were begun, by continue token. */
  readonly #pages = new Map<string, { names: string[]; version: number; items: Map<string, FakeObject> }>();
  #changes: Change[] = [];
  #version = 100;
  /** Changes up to this version are forgotten. */
  #compacted = 100;
  readonly #watches = new Set<ServerResponse>();
  /** Requests, by what they were. */
  readonly asked = { lists: 0, watches: 0 };
  /** Versions that watches began from. */
  readonly watchedFrom: string[] = [];
  /** Answers a request before the collection does; true when it has. */
  intercept: (asked: Asked, kind: 'list' | 'watch') => boolean = () => false;
  /** Every event is sent twice. */
  duplicates = false;

  get version(): string {
    return String(this.#version);
  }

  /** Watches that are open. */
  get watching(): number {
    return this.#watches.size;
  }

  set(name: string, value: number): void {
    const type = this.objects.has(name) ? 'MODIFIED' : 'ADDED';
    const object = { metadata: { name, resourceVersion: String(++this.#version) }, value };
    this.objects.set(name, object);
    this.#happened({ type, object, version: this.#version });
  }

  delete(name: string): void {
    const object = this.objects.get(name);
    if (!object) return;
    this.objects.delete(name);
    const last = { ...object, metadata: { name, resourceVersion: String(++this.#version) } };
    this.#happened({ type: 'DELETED', object: last, version: this.#version });
  }

  /** Something else in the cluster has changed: the version goes on. */
  elsewhere(versions = 1): void {
    this.#version += versions;
  }

  /** Forgets the history, and the lists that were begun. Watches that are open go on. */
  compact(): void {
    this.#compacted = this.#version;
    this.#changes = [];
    this.#pages.clear();
  }

  bookmark(): void {
    this.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: this.version } } });
  }

  /** Sends the event so often to the watch that was opened last, each time when the last one has left; counts those. */
  pour(event: unknown, times: number): { left: number } {
    const poured = { left: 0 };
    const watch = [...this.#watches].at(-1);
    const next = () =>
      watch?.write(`${JSON.stringify(event)}\n`, (error) => {
        if (!error && ++poured.left < times) next();
      });
    next();
    return poured;
  }

  /** To all watches that are open. */
  send(event: unknown): void {
    for (const watch of this.#watches) watch.write(`${JSON.stringify(event)}\n`);
  }

  /** Ends the watches in good order, as after their time. */
  endWatches(): void {
    for (const watch of this.#closing()) watch.end();
  }

  cutWatches(): void {
    for (const watch of this.#closing()) watch.destroy();
  }

  /** The answer for a request to the collection, whatever its path. */
  readonly answer = (asked: Asked): void => {
    const kind = asked.query.get('watch') === 'true' ? 'watch' : 'list';
    this.asked[kind === 'watch' ? 'watches' : 'lists']++;
    if (this.intercept(asked, kind)) return;
    if (kind === 'watch') this.#watch(asked);
    else this.#list(asked);
  };

  #closing(): ServerResponse[] {
    const watches = [...this.#watches];
    this.#watches.clear();
    return watches;
  }

  #list(asked: Asked): void {
    const token = asked.query.get('continue');
    const limit = Number(asked.query.get('limit') ?? 0) || Number.POSITIVE_INFINITY;
    const begun = token === null ? null : this.#pages.get(token);
    if (token !== null && !begun) {
      asked.refuse(410, 'Expired', 'The provided continue parameter is too old');
      return;
    }
    const { names, version, items } = begun ?? { names: [...this.objects.keys()], version: this.#version, items: new Map(this.objects) };
    const rest = names.slice(limit);
    const metadata: { resourceVersion: string; continue?: string } = { resourceVersion: String(version) };
    if (rest.length > 0) {
      metadata.continue = `${version}/${rest[0]}`;
      this.#pages.set(metadata.continue, { names: rest, version, items });
    }
    asked.json(200, { kind: 'List', metadata, items: names.slice(0, limit).map((name) => items.get(name)) });
  }

  #watch({ query, response }: Asked): void {
    const from = query.get('resourceVersion') ?? '';
    this.watchedFrom.push(from);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    if (Number(from) < this.#compacted) {
      const message = `too old resource version: ${from} (${this.#compacted})`;
      response.end(`${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message } })}\n`);
      return;
    }
    for (const change of this.#changes) if (change.version > Number(from)) this.#send(response, change);
    this.#watches.add(response);
    response.on('close', () => this.#watches.delete(response));
  }

  #happened(change: Change): void {
    this.#changes.push(change);
    for (const watch of this.#watches) this.#send(watch, change);
  }

  #send(watch: ServerResponse, { type, object }: Change): void {
    const line = `${JSON.stringify({ type, object })}\n`;
    watch.write(this.duplicates ? line + line : line);
  }
}
