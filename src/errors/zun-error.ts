import { errorCode } from './error-code.ts';

/**
 * An answer that is an error: HTTP status, public code, and the sentence the user reads.
 * `name` is the original's exception class, since the code derives from it. `catalogue.ts` makes them.
 */
export class ZunError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(className: string, status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = className;
    this.status = status;
    this.code = errorCode(className);
  }
}
