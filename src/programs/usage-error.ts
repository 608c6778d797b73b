/** A command line that can't be understood; the message says what is wrong with it. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
