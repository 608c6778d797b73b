import type { Answer, Call, Rule } from './kube-gate.ts';

/** Where the calls of one workload are caught: the n-th that changes something (from 0), or the first whose words match. */
export type Catch = { call: number } | { words: RegExp };

/** What becomes of the calls for one workload. */
interface Plan {
  catch: Catch | null;
  /** `POST pods`, in order. */
  readonly calls: string[];
  readonly caught: PromiseWithResolvers<string>;
}

/**
 * Counts the calls that change something in the cluster, by workload, and catches one of each when it has taken effect, so that something
 * can be killed exactly there. Calls for a workload that nobody has planned for wait until somebody has. Reads pass.
 */
export class CaughtCalls {
  readonly #ownerOf: (uuid: string) => Promise<string>;
  readonly #plans = new Map<string, Plan>();
  /** Calls for workloads without a plan. */
  readonly #unplanned = new Map<string, PromiseWithResolvers<Plan>>();
  /** Resolved when what was caught may be answered. */
  #answering = Promise.withResolvers<void>();

  /** `ownerOf` tells the container or capsule of the uuid of a volume or a container of a capsule, and of any other the same. */
  constructor(ownerOf: (uuid: string) => Promise<string>) {
    this.#ownerOf = ownerOf;
  }

  /** For a `KubeGate`. */
  readonly rule: Rule = async (call, ask) => {
    const uuid = call.method === 'GET' ? null : uuidIn(call);
    if (uuid === null) return ask();
    const plan = await this.#plan(await this.#ownerOf(uuid));
    const words = wordsOf(call);
    const number = plan.calls.push(words) - 1;
    const isCaught = plan.catch !== null && ('call' in plan.catch ? plan.catch.call === number : plan.catch.words.test(words));
    const answer: Answer | 'cut' = await ask();
    if (!isCaught) return answer;
    plan.catch = null;
    plan.caught.resolve(words);
    await this.#answering.promise;
    return answer;
  };

  /** From now on calls for the workload are counted anew, and one of them is caught. */
  plan(workload: string, wanted: Catch | null): void {
    const plan: Plan = { catch: wanted, calls: [], caught: Promise.withResolvers() };
    this.#plans.set(workload, plan);
    this.#unplanned.get(workload)?.resolve(plan);
    this.#unplanned.delete(workload);
  }

  /** The calls of a workload since its plan was made. */
  calls(workload: string): readonly string[] {
    return this.#plans.get(workload)?.calls ?? [];
  }

  /** Resolves, with the call, when the workload's was caught. */
  async caught(workload: string): Promise<string> {
    return (await this.#plan(workload)).caught.promise;
  }

  /** Answers what was caught; what is caught from now on waits for the next time. */
  letGo(): void {
    this.#answering.resolve();
    this.#answering = Promise.withResolvers();
  }

  async #plan(workload: string): Promise<Plan> {
    const planned = this.#plans.get(workload);
    if (planned) return planned;
    const waiting = this.#unplanned.get(workload) ?? Promise.withResolvers<Plan>();
    this.#unplanned.set(workload, waiting);
    return waiting.promise;
  }
}

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Names of objects end in the uuid of what they are for; removals of several name it as a label. `null` of what is nobody's own. */
function uuidIn({ path, query, body }: Call): string | null {
  const text = `${path} ${query.get('labelSelector') ?? ''} ${body}`;
  return new RegExp(`zun-(${uuid})|openstack\\.org/workload=(${uuid})`).exec(text)?.slice(1).find(Boolean) ?? null;
}

/** `PATCH pods`, `DELETE secrets`, whatever the names. */
function wordsOf({ method, path }: Call): string {
  const [, , , , , resource = path] = path.split('/');
  return `${method} ${resource}`;
}
