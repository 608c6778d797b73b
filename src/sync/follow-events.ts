import type { ContainerRuntime, StreamHappening } from '../runtime/container-runtime.ts';
import type { Clock } from '../telemetry/clock.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { ListingCause, SyncObserver } from './sync-observer.ts';

export interface FollowEventsOptions {
  runtime: Pick<ContainerRuntime, 'events'>;
  /** Looks at all rows soon. */
  list(cause: ListingCause): unknown;
  /** Brings one row in line soon. */
  touch(uuid: string): void;
  clock: Clock;
  logger: Logger;
  observer?: SyncObserver;
}

/** Rows are listed without the stream when it is not there after so long, in milliseconds. */
const patience = 5_000;
/** Between two attempts to have the stream, in milliseconds; doubles. */
const firstPause = 200;
const longestPause = 10_000;

/**
 * Follows the engine's events until the signal aborts. They are not replayed, so rows are listed each time that the stream is there (again); and
 * at first also when it cannot be had. That it cannot be had is said once.
 */
export async function followEvents(options: FollowEventsOptions, signal: AbortSignal): Promise<void> {
  const { clock, observer } = options;
  let cause: ListingCause = 'start';
  let pause = firstPause;
  let isSaid = false;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const opening = new AbortController();
    const heard = (happening: StreamHappening) => {
      observer?.streamMet?.(happening);
      if (happening === 'expired') cause = 'expired';
      if (happening !== 'opened') return;
      opening.abort();
      isSaid = false;
      options.list(cause);
      cause = 'reconnected';
    };
    listWithoutStream(options, AbortSignal.any([signal, opening.signal]));
    try {
      for await (const event of options.runtime.events(signal, heard)) {
        pause = firstPause;
        observer?.eventSeen?.(event.action);
        options.touch(event.uuid);
      }
    } catch (error) {
      if (signal.aborted) break;
      options.logger[isSaid ? 'debug' : 'warn']({ err: error }, 'the event stream broke; following again');
      isSaid = true;
    }
    if (attempt === 0 && !opening.signal.aborted) options.list('no-stream');
    opening.abort();
    observer?.streamMet?.('disconnected');
    if (!signal.aborted) observer?.streamBroke?.();
    await clock.sleep(pause, signal);
    pause = Math.min(pause * 2, longestPause);
  }
  observer?.streamMet?.('left');
}

/** Unless the signal aborts before. */
function listWithoutStream({ clock, list }: FollowEventsOptions, signal: AbortSignal): void {
  void clock.sleep(patience, signal).then(() => {
    if (!signal.aborted) list('no-stream');
  });
}
