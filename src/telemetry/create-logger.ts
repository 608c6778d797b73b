import { type DestinationStream, pino } from 'pino';
import type { Logger } from './logger.ts';
import { plainError } from './plain-error.ts';
import { redacted, scrubbed } from './redacted.ts';
import type { RequestScope } from './request-scope.ts';

export interface CreateLoggerOptions {
  /** `debug`, `info`, `warn`, `error` or `silent`. */
  level: string;
  /** Gives each line the `request_id` it was written for. */
  scope: RequestScope;
  /** stderr unless said. */
  destination?: DestinationStream;
}

/**
 * The program's log: one JSON object a line with `time` (ISO 8601, UTC), `level`, `pid`, `hostname`, `msg`, `request_id` where there
 * is one, and what the line is about. Secrets are taken out twice: by key, and by shape from the finished line.
 */
export function createLogger({ level, scope, destination }: CreateLoggerOptions): Logger {
  return pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => {
        const requestId = scope.requestId();
        return requestId === null ? {} : { request_id: requestId };
      },
      formatters: { level: (label) => ({ level: label }), log: (context) => redacted(context) as Record<string, unknown> },
      serializers: { err: plainError },
      hooks: { streamWrite: scrubbed },
    },
    destination ?? pino.destination(2),
  );
}
