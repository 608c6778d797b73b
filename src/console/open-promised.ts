import { connectionFailure } from '../db/connection-failure.ts';
import type { Queries } from '../db/database.ts';
import { consoleSize, forgetConsole, type PromisedConsole, takeConsole } from '../features/consoles/console-store.ts';
import type { Console, TerminalSize } from '../runtime/console.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { isFault, type RuntimeFault } from '../runtime/runtime-fault.ts';
import type { Clock } from '../telemetry/clock.ts';
import { withDeadline } from '../telemetry/with-deadline.ts';
import type { ConsoleRequest } from './console-request.ts';
import { Refusal } from './refusal.ts';

export interface OpenPromisedOptions {
  queries: Queries;
  runtime: Pick<ContainerRuntime, 'openConsole'>;
  clock: Clock;
}

/** An open console is forgotten so long after its program was last heard of. */
export const keptMilliseconds = 5 * 60_000;
/** Of the way to the process, with the database; a client's own patience is about as long. */
const openMilliseconds = 30_000;

export interface OpenedConsole {
  promised: PromisedConsole;
  console: Console;
  /** What was asked for since it was promised; `null` = nothing was. */
  size: TerminalSize | null;
}

/**
 * Opens the console that the token is good for. The token is used up whatever becomes of it. Throws a `Refusal`; then nothing is open,
 * though a command may have been started.
 */
export async function openPromised(options: OpenPromisedOptions, request: ConsoleRequest, stop: AbortSignal): Promise<OpenedConsole> {
  const { queries, clock } = options;
  return withDeadline(clock, openMilliseconds, async (late) => {
    const signal = AbortSignal.any([late, stop]);
    const promised = await taken(options, request, signal);
    try {
      const console = await opened(options, promised, signal);
      const size = await beforeAbort(consoleSize(queries, promised.id), signal).catch(() => null);
      return { promised, console, size };
    } catch (error) {
      await beforeAbort(forgetConsole(queries, promised.id), signal).catch(() => {});
      throw error;
    }
  });
}

async function taken({ queries, clock }: OpenPromisedOptions, request: ConsoleRequest, signal: AbortSignal): Promise<PromisedConsole> {
  const now = clock.now();
  let promised: PromisedConsole | null;
  try {
    promised = await beforeAbort(takeConsole(queries, request, { now, until: now + keptMilliseconds }), signal);
  } catch (cause) {
    if (!signal.aborted && connectionFailure(cause) === null) throw cause;
    throw new Refusal('unavailable', 'The database cannot be reached: try again later.', { cause });
  }
  if (promised) return promised;
  throw new Refusal('token', 'The token is wrong, was used or has expired: ask the API for a new address.');
}

/** A console that comes after all is closed: nobody would. */
async function opened({ runtime }: OpenPromisedOptions, { containerUuid, target }: PromisedConsole, signal: AbortSignal): Promise<Console> {
  const opening = runtime.openConsole(containerUuid, target, signal);
  try {
    const console = await beforeAbort(opening, signal);
    // Until somebody listens; it is seen then.
    for (const stream of [console.output, console.input]) stream.on('error', () => {});
    return console;
  } catch (error) {
    opening.then((late) => late.close()).catch(() => {});
    if (isFault(error)) throw refusalOf(error, containerUuid);
    if (!signal.aborted) throw error;
    throw new Refusal('unavailable', 'The container runtime did not answer in time.', { cause: error });
  }
}

function refusalOf(fault: RuntimeFault, containerUuid: string): Refusal {
  const [{ message }, options] = [fault, { cause: fault }];
  switch (fault.kind) {
    case 'not-found':
      return new Refusal('not-running', `Container ${containerUuid} has no workload on its node.`, options);
    case 'unreachable':
      return new Refusal('unavailable', `The container runtime cannot be reached: ${message}`, options);
    case 'timeout':
      return new Refusal('unavailable', `The container runtime did not answer in time: ${message}`, options);
    default:
      return new Refusal('not-running', message, options);
  }
}

/** The answer, or the signal's reason when that comes first. */
function beforeAbort<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
