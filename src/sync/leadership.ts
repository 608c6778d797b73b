/** The right to do what only one process may do at a time. */
export interface Leadership {
  /** Aborts when it is over. */
  readonly signal: AbortSignal;
  /** Throws `NotLeading` once it may be over: to be asked last before something is written. */
  require(): void;
}

/** What was about to be written is not: another may lead by now. */
export class NotLeading extends Error {
  constructor(what: string) {
    super(`${what} is no longer led by this process`);
    this.name = 'NotLeading';
  }
}

/** Of the only process there is. */
export function soleLeadership(signal: AbortSignal): Leadership {
  return { signal, require: () => {} };
}
