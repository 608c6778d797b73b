/**
 * Whether a simulated process lives. What a dead one has begun is never heard of again: nobody tells it how that ended. One that is
 * stopped (SIGSTOP, a paused machine) goes on where it was when it is woken, and does not know that time has passed.
 */
export class Life {
  #alive = true;
  #fuse: number | null = null;
  #woken: { promise: Promise<void>; resolve(): void } | null = null;
  readonly #last = new Set<() => void>();
  readonly #stops = new Set<() => void>();

  get alive(): boolean {
    return this.#alive;
  }

  get stopped(): boolean {
    return this.#woken !== null;
  }

  /** Dies at the so many-th step from now, wherever that is. */
  light(steps: number): void {
    this.#fuse = steps;
  }

  die(): void {
    if (!this.#alive) return;
    this.#alive = false;
    for (const act of this.#last) act();
  }

  stop(): void {
    if (this.#woken || !this.#alive) return;
    this.#woken = Promise.withResolvers();
    for (const act of this.#stops) act();
  }

  wake(): void {
    this.#woken?.resolve();
    this.#woken = null;
  }

  /** At once for one that is dead. Answers what calls it off. */
  onDeath(act: () => void): () => void {
    if (!this.#alive) act();
    this.#last.add(act);
    return () => this.#last.delete(act);
  }

  /** At once for one that is stopped. Answers what calls it off. */
  onStop(act: () => void): () => void {
    if (this.#woken) act();
    this.#stops.add(act);
    return () => this.#stops.delete(act);
  }

  /** To be awaited around everything that a process does to the world: comes back at once, when it is woken, or never. */
  async step(): Promise<void> {
    if (this.#fuse !== null && this.#alive) {
      this.#fuse -= 1;
      if (this.#fuse <= 0) this.die();
    }
    while (this.#woken && this.#alive) await this.#woken.promise;
    if (!this.#alive) await new Promise(() => {});
  }
}
