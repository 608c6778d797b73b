import { KubeClient } from '../../src/runtime/kubernetes/client/kube-client.ts';
import { watchObjects } from '../../src/runtime/kubernetes/client/watch-objects.ts';
import type { WatchEvent, WatchOptions } from '../../src/runtime/kubernetes/client/watch-options.ts';
import { StandingClock } from '../bench/standing-clock.ts';
import { until } from '../system/engine/until.ts';
import { FakeApiServer } from './fake-api-server.ts';
import { FakeCollection, type FakeObject } from './fake-collection.ts';

/** Pauses after failures, which heed the caller's signal, pass at once and are written down; deadlines stand until the test moves the time on. */
class PauseClock extends StandingClock {
  readonly pauses: number[] = [];
  readonly #caller: AbortSignal;

  constructor(caller: AbortSignal) {
    super();
    this.#caller = caller;
  }

  override sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal !== this.#caller) return super.sleep(milliseconds, signal);
    this.pauses.push(milliseconds);
    return new Promise((resolve) => setImmediate(resolve));
  }
}

/** A collection of a fake API server, and somebody who watches it and keeps what there is. */
export class WatchedCollection {
  readonly collection = new FakeCollection();
  readonly happenings: string[] = [];
  readonly events: WatchEvent<FakeObject>[] = [];
  /** What the watcher takes for true: values by name. */
  known: Map<string, number> | null = null;
  readonly caller = new AbortController();
  readonly clock = new PauseClock(this.caller.signal);
  readonly fake: FakeApiServer;
  readonly client: KubeClient;
  #watching: Promise<void> | null = null;
  /** Calls that have not been answered. */
  #underWay = 0;

  private constructor(fake: FakeApiServer) {
    this.fake = fake;
    const observer = () => {
      this.#underWay++;
      return () => {
        this.#underWay--;
      };
    };
    this.client = new KubeClient(fake.config(), observer, this.clock);
    fake.answer = this.collection.answer;
  }

  static async start(): Promise<WatchedCollection> {
    return new WatchedCollection(await FakeApiServer.start());
  }

  open(options: Partial<WatchOptions> = {}): AsyncGenerator<WatchEvent<FakeObject>> {
    return watchObjects<FakeObject>(this.client, {
      path: '/api/v1/pods',
      query: { labelSelector: 'a=b' },
      clock: this.clock,
      signal: this.caller.signal,
      relistMilliseconds: 600_000,
      idleMilliseconds: 90_000,
      observer: (happening) => void this.happenings.push(happening),
      ...options,
    });
  }

  /** Watches until the end of the bench; what comes is kept. */
  watch(options: Partial<WatchOptions> = {}): Promise<void> {
    this.#watching = (async () => {
      for await (const event of this.open(options)) this.#take(event);
    })();
    this.#watching.catch(() => {});
    return this.#watching;
  }

  /** Waits until as many watches are open, on both ends. */
  async watches(count = 1): Promise<void> {
    await until('a watch is open', async () => (this.collection.watching === count && this.#underWay === 0 ? true : null));
  }

  /** Waits until the watcher knows what there is. */
  async upToDate(): Promise<void> {
    const state = (values: Iterable<[string, number]>) => JSON.stringify([...values].sort());
    const truth = () => state([...this.collection.objects].map(([name, { value }]): [string, number] => [name, value]));
    await until('the watcher is up to date', async () => (this.known && state(this.known) === truth() ? true : null));
  }

  async happened(happening: string, times = 1): Promise<void> {
    const count = () => this.happenings.filter((each) => each === happening).length;
    await until(`${happening}, ${times} times`, async () => (count() >= times ? true : null));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.caller.abort();
    await this.#watching?.catch(() => {});
    await this.client.close();
    await this.fake[Symbol.asyncDispose]();
  }

  #take(event: WatchEvent<FakeObject>): void {
    this.events.push(event);
    if (event.type === 'listed') {
      this.known = new Map(event.items.map(({ metadata, value }) => [metadata.name, value]));
      return;
    }
    this.known ??= new Map();
    if (event.type === 'deleted') this.known.delete(event.object.metadata.name);
    else this.known.set(event.object.metadata.name, event.object.value);
  }
}
