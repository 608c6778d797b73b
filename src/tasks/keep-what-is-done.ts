/** Thrown by a step to fail its saga without undoing the steps before it: what they made stays usable. */
export class KeepWhatIsDone extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = 'KeepWhatIsDone';
  }
}
