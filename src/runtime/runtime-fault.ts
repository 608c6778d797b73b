/**
 * `not-found`: the workload, path, image or network does not exist.
 * `conflict`: it exists and its state forbids the call (not running, already paused, …).
 * `invalid`: the engine refused the argument; nothing was changed.
 * `denied`: a registry refused the credentials.
 * `timeout`: the caller's deadline passed; the call may have taken effect.
 * `unreachable`: the engine could not be asked; the call may have taken effect.
 * `unsupported`: this runtime cannot do it.
 * `failed`: the engine tried and failed; its words are in the message.
 */
export type RuntimeFaultKind = 'not-found' | 'conflict' | 'invalid' | 'denied' | 'timeout' | 'unreachable' | 'unsupported' | 'failed';

/** The only error a runtime or image adapter throws. `message` is the engine's or registry's own sentence, without a stack. */
export class RuntimeFault extends Error {
  readonly kind: RuntimeFaultKind;
  constructor(kind: RuntimeFaultKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RuntimeFault';
    this.kind = kind;
  }
}

export function isFault(error: unknown, ...kinds: RuntimeFaultKind[]): error is RuntimeFault {
  return error instanceof RuntimeFault && (kinds.length === 0 || kinds.includes(error.kind));
}
