import { randomInt, randomUUID } from 'node:crypto';

/** The only source of randomness; tests pass a seeded one. */
export interface Ids {
  uuid(): string;
  /** `req-<uuid>`. */
  requestId(): string;
  /** A whole number in [0, bound). */
  below(bound: number): number;
}

export const randomIds: Ids = {
  uuid: () => randomUUID(),
  requestId: () => `req-${randomUUID()}`,
  below: (bound) => randomInt(bound),
};
