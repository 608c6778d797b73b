import { Turns } from '../../../telemetry/turns.ts';

/**
 * Calls of one process to one node's agent at a time. Each is a process of 50 MB in the agent's Pod, whose limit is what all workers together may
 * use. The sixteen tasks of a worker, were they all stops on one node, wait for one grace period at most.
 */
export const callsAtOnce = 8;
/** Of these, calls that read and pack filesystems: they take twice the memory, and minutes, and leave room for the others. */
export const longCallsAtOnce = 2;

interface NodeLanes {
  all: Turns;
  long: Turns;
}

/** Whose turn it is to ask an agent, node by node. */
export class NodeTurns {
  readonly #nodes = new Map<string, { lanes: NodeLanes; users: number }>();

  /** Runs the call when its turn has come; `isLong` for one that packs, unpacks or sends a filesystem. */
  async run<T>(node: string, isLong: boolean, call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const entry = this.#nodes.get(node) ?? { lanes: { all: new Turns(callsAtOnce), long: new Turns(longCallsAtOnce) }, users: 0 };
    this.#nodes.set(node, entry);
    entry.users += 1;
    const { all, long } = entry.lanes;
    const ask = () => all.run(call, signal);
    try {
      return await (isLong ? long.run(ask, signal) : ask());
    } finally {
      entry.users -= 1;
      // Nodes come and go.
      if (entry.users === 0) this.#nodes.delete(node);
    }
  }
}
