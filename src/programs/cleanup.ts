/** What to undo, last first; each once. */
export class Cleanup {
  readonly #actions: (() => Promise<unknown>)[] = [];

  add(action: () => Promise<unknown>): void {
    this.#actions.push(action);
  }

  async run(): Promise<void> {
    for (let action = this.#actions.pop(); action; action = this.#actions.pop()) await action();
  }
}

/** Starts something whose parts are undone when the start of a later one fails: nothing is left running then. */
export async function startedWhole<T>(start: (cleanup: Cleanup) => Promise<T>): Promise<T> {
  const cleanup = new Cleanup();
  try {
    return await start(cleanup);
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}
