/** How one family of vectors is replayed. */
export interface VectorFamily {
  /** Calls the ported function with a recorded input; answers in the recorded form (or a promise of it), or throws. */
  call(input: unknown, vector: Record<string, unknown>): unknown;
  /** True where values must be read as Python reads them (`1.0` is not `1`). */
  exact?: boolean;
}

/** Gives the call the type of its family's input: the records are of that shape. */
export function family<In>(call: (input: In, vector: Record<string, unknown>) => unknown, options: { exact?: boolean } = {}): VectorFamily {
  return { call: call as VectorFamily['call'], ...options };
}
