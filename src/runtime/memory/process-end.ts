/** Thrown through a running script to end its process with the code. */
export class ProcessEnd extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`ended with ${code}`);
    this.code = code;
  }
}
