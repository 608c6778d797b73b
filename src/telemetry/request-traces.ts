import { ROOT_CONTEXT, SpanStatusCode, TraceFlags, type Tracer, trace } from '@opentelemetry/api';

/** Something that was done for a request and has ended. Times are epoch milliseconds. */
export interface TracedWork {
  /** Work for no request is not traced. */
  requestId: string | null;
  name: string;
  began: number;
  ended: number;
  failed: boolean;
  attributes: Record<string, string | number>;
}

/**
 * Gives OpenTelemetry the spans of requests. The trace id is the request id, so that API, workers and calls meet in one trace across
 * processes with nothing handed on, and the id that a client was told finds it. The only file that knows the library; without an SDK
 * (`start-traces.ts`) its calls do nothing.
 */
export class RequestTraces {
  readonly #tracer: Tracer;

  constructor(tracer: Tracer = trace.getTracer('zun')) {
    this.#tracer = tracer;
  }

  add({ requestId, name, began, ended, failed, attributes }: TracedWork): void {
    const traceId = /^req-([0-9a-f-]{36})$/.exec(requestId ?? '')?.[1]?.replaceAll('-', '');
    if (traceId === undefined) return;
    const request = { traceId, spanId: traceId.slice(16), traceFlags: TraceFlags.SAMPLED, isRemote: true };
    const span = this.#tracer.startSpan(name, { startTime: began, attributes }, trace.setSpanContext(ROOT_CONTEXT, request));
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(ended);
  }
}
