/** Whether a simulated process lives. What a dead one has begun is never heard of again: nobody tells it how that ended. */
export class Life {
  #alive = true;
  #fuse: number | null = null;
  readonly #last = new Set<() => void>();

  get alive(): boolean {
    return this.#alive;
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

  /** At once for one that is dead. Answers what calls it off. */
  onDeath(act: () => void): () => void {
    if (!this.#alive) act();
    this.#last.add(act);
    return () => this.#last.delete(act);
  }

  /** To be awaited around everything that a process does to the world: comes back at once, or never. */
  async step(): Promise<void> {
    if (this.#fuse !== null && this.#alive) {
      this.#fuse -= 1;
      if (this.#fuse <= 0) this.die();
    }
    if (!this.#alive) await new Promise(() => {});
  }
}
