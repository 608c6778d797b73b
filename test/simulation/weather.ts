import { conflict, serviceUnavailable } from '../../src/errors/catalogue.ts';
import { RuntimeFault } from '../../src/runtime/runtime-fault.ts';
import type { Clock } from '../../src/telemetry/clock.ts';
import type { Life } from './life.ts';
import type { SeededRandom } from './seeded-random.ts';

/** What may befall a call: nothing, a wait, nobody there, a refusal, an answer that is lost after the effect, no answer at all. */
type Fault = 'none' | 'slow' | 'unreachable' | 'refused' | 'lost' | 'hangs';

/** So long a client waits for an answer that does not come, when nobody calls it off before. */
const patienceMilliseconds = 60_000;

/** How a port says that nobody answers, and that it is refused: the engine's are faults, the others' are answers. */
const errors = {
  engine: {
    unreachable: (message: string) => new RuntimeFault('unreachable', message),
    refused: (message: string) => new RuntimeFault('failed', message),
  },
  service: { unreachable: serviceUnavailable, refused: conflict },
};

/** Where a call to the outside is made from. */
export interface Caller {
  life: Life;
  /** Told of every call that did not go well. */
  tell(line: string): void;
}

/** What befalls the calls between the processes and the services of a simulated world, by seed. */
export class Weather {
  readonly #random: SeededRandom;
  readonly #clock: Clock;
  readonly #weights: Record<Fault, number>;
  /** Once set, every call is answered at once. */
  calm = false;
  calls = 0;

  constructor(random: SeededRandom, clock: Clock) {
    this.#random = random;
    this.#clock = clock;
    // Each seed has its own climate, from mild to terrible.
    const weight = (most: number) => random.below(most + 1);
    this.#weights = { none: 100, slow: weight(30), unreachable: weight(10), refused: weight(4), lost: weight(10), hangs: weight(2) };
  }

  /** The port as a process has it. Only methods that answer a promise are worth that; `plain` names those that do not. */
  around<T extends object>(kind: keyof typeof errors, name: string, port: T, caller: Caller, plain: ReadonlySet<string> = new Set()): T {
    return new Proxy(port, {
      get: (target, member) => {
        const value: unknown = Reflect.get(target, member, target);
        if (typeof value !== 'function' || plain.has(String(member))) return typeof value === 'function' ? value.bind(target) : value;
        const call = `${name}.${String(member)}`;
        return (...args: unknown[]) => this.#call(kind, call, () => value.apply(target, args), args, caller);
      },
    });
  }

  async #call(kind: keyof typeof errors, call: string, work: () => unknown, args: unknown[], { life, tell }: Caller): Promise<unknown> {
    await life.step();
    this.calls += 1;
    const fault = this.calm ? 'none' : this.#random.weighted(this.#weights);
    if (fault !== 'none') tell(`${call}: ${fault}`);
    const signal = args.find((argument) => argument instanceof AbortSignal);
    if (fault === 'slow') await this.#wait(call, this.#random.between(20, 8_000), signal);
    if (fault === 'hangs') await this.#wait(call, patienceMilliseconds, signal);
    await life.step();
    if (fault === 'unreachable' || fault === 'hangs') throw errors[kind].unreachable(`${call}: nobody answers`);
    if (fault === 'refused') throw errors[kind].refused(`${call}: not today`);
    const answer = await work();
    await life.step();
    if (fault === 'lost') throw errors[kind].unreachable(`${call}: the answer was lost`);
    return answer;
  }

  async #wait(call: string, milliseconds: number, signal?: AbortSignal): Promise<void> {
    await this.#clock.sleep(milliseconds, signal);
    if (signal?.aborted) throw new RuntimeFault('timeout', `${call}: the caller no longer waits`);
  }
}
