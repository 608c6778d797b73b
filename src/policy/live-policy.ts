import type { Clock } from '../telemetry/clock.ts';
import type { PolicyValues } from './compile-policy-check.ts';
import type { PolicyContext } from './policy-context.ts';
import type { PolicyEnforcer } from './policy-enforcer.ts';
import type { PolicyFile } from './policy-file.ts';

/** The file is looked at so often at most, in milliseconds. */
const lookInterval = 1000;

/** The rules in force: the operator's file is followed while the program runs, without a file access a request. */
export class LivePolicy {
  readonly #file: PolicyFile;
  readonly #clock: Clock;
  #enforcer: PolicyEnforcer;
  #lookedAt: number;

  private constructor(file: PolicyFile, clock: Clock, enforcer: PolicyEnforcer) {
    this.#file = file;
    this.#clock = clock;
    this.#enforcer = enforcer;
    this.#lookedAt = clock.now();
  }

  /** Throws when the file is there and cannot be used. */
  static async open(file: PolicyFile, clock: Clock): Promise<LivePolicy> {
    return new LivePolicy(file, clock, await file.current());
  }

  /** Call it before a request is served. */
  async refresh(): Promise<void> {
    const now = this.#clock.now();
    if (now - this.#lookedAt < lookInterval) return;
    this.#lookedAt = now;
    this.#enforcer = await this.#file.current();
  }

  authorize(context: PolicyContext, rule: string, target?: PolicyValues): void {
    this.#enforcer.authorize(context, rule, target);
  }

  allows(context: PolicyContext, rule: string, target?: PolicyValues, options?: { mightNotExist?: boolean }): boolean {
    return this.#enforcer.allows(context, rule, target, options);
  }

  isAdmin(context: Omit<PolicyContext, 'isAdmin'>): boolean {
    return this.#enforcer.isAdmin(context);
  }
}
