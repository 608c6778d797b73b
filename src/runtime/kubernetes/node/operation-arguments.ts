import { RuntimeFault } from '../../runtime-fault.ts';

/** The members of the one JSON argument of an operation, read one by one. Faults are `invalid` and name the member. */
export class OperationArguments {
  readonly #values: Record<string, unknown>;

  constructor(values: unknown) {
    if (typeof values !== 'object' || values === null || Array.isArray(values)) {
      throw new RuntimeFault('invalid', 'The argument has to be a JSON object.');
    }
    this.#values = values as Record<string, unknown>;
  }

  text(name: string): string {
    const value = this.#values[name];
    if (typeof value !== 'string' || value === '') throw refused(name, value, 'a text that is not empty');
    return value;
  }

  /** A whole number from 0 on. */
  count(name: string): number {
    const value = this.#values[name];
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw refused(name, value, 'a whole number from 0 on');
    return value;
  }

  /** `null` when it is absent or null. */
  optional<T>(name: string, read: (values: OperationArguments) => T): T | null {
    const value = this.#values[name];
    return value === undefined || value === null ? null : read(new OperationArguments(value));
  }
}

const refused = (name: string, value: unknown, rule: string): RuntimeFault =>
  new RuntimeFault('invalid', `${name}: ${JSON.stringify(value) ?? 'nothing'} is not ${rule}.`);
