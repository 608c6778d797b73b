/** Why a console is not opened, as metrics and the log name it. */
export type RefusalReason = 'malformed' | 'origin' | 'token' | 'not-running' | 'full' | 'unavailable' | 'defect';

const statuses: Record<RefusalReason, number> = {
  malformed: 400,
  origin: 403,
  token: 401,
  'not-running': 409,
  full: 503,
  unavailable: 503,
  defect: 500,
};

/** A console that is not opened. `message` is a sentence for whoever asked; it never holds the token. */
export class Refusal extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Refusal';
    this.reason = reason;
  }

  /** Of the answer to the handshake. */
  get status(): number {
    return statuses[this.reason];
  }
}
