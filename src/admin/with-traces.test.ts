import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Context, INVALID_SPAN_CONTEXT, type SpanOptions, type Tracer, trace } from '@opentelemetry/api';
import { StandingClock } from '../../test/bench/standing-clock.ts';
import type { Task } from '../tasks/task.ts';
import { silentLogger } from '../telemetry/logger.ts';
import { RequestScope } from '../telemetry/request-scope.ts';
import { RequestTraces } from '../telemetry/request-traces.ts';
import { programMetrics } from './program-metrics.ts';
import { withTraces } from './with-traces.ts';

const requestId = 'req-7a4c1f0e-8b8a-4e6e-9a55-0d8a3a1f3c11';
const traceId = '7a4c1f0e8b8a4e6e9a550d8a3a1f3c11';
const task = { uuid: 't', kind: 'container.create', subject: 'c', attempt: 1, requestId } as Task;

interface RecordedSpan {
  name: string;
  traceId: string | undefined;
  began: unknown;
  ended: unknown;
  failed: boolean;
  attributes: SpanOptions['attributes'];
}

/** A tracer that keeps what it is told, as an SDK would. */
function recordingTracer(spans: RecordedSpan[]): Tracer {
  return {
    startSpan(name: string, { startTime, attributes }: SpanOptions, context: Context) {
      const parent = trace.getSpanContext(context);
      const span = { name, traceId: parent?.traceId, began: startTime, ended: undefined as unknown, failed: false, attributes };
      spans.push(span);
      return Object.assign(trace.wrapSpanContext(INVALID_SPAN_CONTEXT), {
        setStatus: () => (span.failed = true),
        end: (at: unknown) => (span.ended = at),
      });
    },
    startActiveSpan: () => assert.fail('not used'),
  } as unknown as Tracer;
}

function setUp() {
  const spans: RecordedSpan[] = [];
  const clock = new StandingClock();
  const scope = new RequestScope();
  const observers = withTraces(programMetrics(clock, silentLogger), new RequestTraces(recordingTracer(spans)), scope, clock);
  return { spans, clock, scope, observers, began: clock.now() };
}

test('request, task, step and call are in one trace, whose id is the request id', async () => {
  const { spans, clock, scope, observers, began } = setUp();
  await clock.advance(10);
  observers.onAnswered({ method: 'POST', route: '/v1/containers', status: 202, milliseconds: 10, requestId });
  observers.tasks.looked?.(task);
  const ended = scope.run(task, () => observers.outbound('engine')('POST /containers/create'));
  await clock.advance(30);
  ended('ok');
  observers.tasks.stepEnded?.({ task, step: 'create workload', direction: 'run', outcome: 'done', milliseconds: 30 });
  observers.tasks.taskLeft?.(task, 'succeeded');
  assert.deepEqual(
    spans.map((span) => [span.name, Number(span.began) - began, Number(span.ended) - began, span.failed]),
    [
      ['POST /v1/containers', 0, 10, false],
      ['engine POST /containers/create', 10, 40, false],
      ['container.create run create workload', 10, 40, false],
      ['container.create', 10, 40, false],
    ],
  );
  for (const span of spans) assert.equal(span.traceId, traceId, span.name);
});

test('what failed is marked', () => {
  const { spans, scope, observers } = setUp();
  observers.onAnswered({ method: 'GET', route: null, status: 500, milliseconds: 1, requestId });
  observers.onAnswered({ method: 'GET', route: null, status: 404, milliseconds: 1, requestId });
  scope.run(task, () => observers.outbound('engine')('GET /info'))('unreachable');
  observers.tasks.taskLeft?.(task, 'failed');
  assert.deepEqual(
    spans.map(({ failed }) => failed),
    [true, false, true, true],
  );
});

test('what is done for no request is measured and not traced', async () => {
  const { spans, observers } = setUp();
  observers.outbound('engine')('GET /containers/json')('ok');
  observers.onAnswered({ method: 'GET', route: null, status: 400, milliseconds: 1, requestId: null });
  assert.deepEqual(spans, []);
  assert.match(await observers.metrics.text(), /operation="GET \/containers\/json"/);
});
