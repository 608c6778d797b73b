import type { Ids } from '../../src/telemetry/ids.ts';

/** Everything random of a simulation: the same seed, the same numbers. The generator is sfc32. */
export class SeededRandom implements Ids {
  readonly #state: Uint32Array;

  constructor(seed: number | string) {
    this.#state = new Uint32Array([0x9e3779b9, 0x243f6a88, hash(String(seed)), 1]);
    for (let round = 0; round < 12; round += 1) this.#next();
  }

  /** A stream of its own, so that drawing more in one place changes nothing in another. */
  fork(name: string): SeededRandom {
    return new SeededRandom(`${name} of ${this.#next()}`);
  }

  below(bound: number): number {
    return Math.floor((this.#next() / 2 ** 32) * bound);
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.#next() / 2 ** 32 < probability;
  }

  /** One of them; `undefined` of none. */
  pick<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)];
  }

  /** One key, each as often as its weight says. */
  weighted<Key extends string>(weights: Record<Key, number>): Key {
    const entries = Object.entries(weights) as [Key, number][];
    let rest = this.below(entries.reduce((sum, [, weight]) => sum + weight, 0));
    for (const [key, weight] of entries) {
      if (rest < weight) return key;
      rest -= weight;
    }
    throw new Error('no weights');
  }

  uuid(): string {
    const hex = Array.from({ length: 4 }, () => this.#next().toString(16).padStart(8, '0')).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  requestId(): string {
    return `req-${this.uuid()}`;
  }

  #next(): number {
    const [a = 0, b = 0, c = 0, counter = 0] = this.#state;
    const result = (a + b + counter) >>> 0;
    this.#state.set([b ^ (b >>> 9), c + (c << 3), ((c << 21) | (c >>> 11)) + result, counter + 1]);
    return result;
  }
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
}
