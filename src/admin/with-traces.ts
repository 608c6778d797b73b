import type { Clock } from '../telemetry/clock.ts';
import type { RequestScope } from '../telemetry/request-scope.ts';
import type { RequestTraces } from '../telemetry/request-traces.ts';
import type { ProgramMetrics } from './program-metrics.ts';

/** The same observers, which also trace: a span for the request, for each time its task is held, for each step and each call. */
export function withTraces(observers: ProgramMetrics, traces: RequestTraces, scope: RequestScope, clock: Clock): ProgramMetrics {
  /** When the tasks of this process were claimed, by uuid. */
  const claimed = new Map<string, number>();
  return {
    ...observers,
    onAnswered(answered) {
      observers.onAnswered(answered);
      const { requestId, method, route, status, milliseconds } = answered;
      const ended = clock.now();
      const attributes = { 'http.request.method': method, 'http.route': route ?? '', 'http.response.status_code': status };
      traces.add({
        requestId,
        name: `${method} ${route ?? ''}`.trim(),
        began: ended - milliseconds,
        ended,
        failed: status >= 500,
        attributes,
      });
    },
    tasks: {
      looked(found) {
        observers.tasks.looked?.(found);
        if (found !== null && found !== 'error') claimed.set(found.uuid, clock.now());
      },
      stepEnded(end) {
        observers.tasks.stepEnded?.(end);
        const { task, step, direction, outcome, milliseconds } = end;
        const ended = clock.now();
        const attributes = { 'zun.task': task.uuid, 'zun.outcome': outcome };
        const name = `${task.kind} ${direction} ${step}`;
        traces.add({ requestId: task.requestId, name, began: ended - milliseconds, ended, failed: outcome !== 'done', attributes });
      },
      taskLeft(task, outcome) {
        observers.tasks.taskLeft?.(task, outcome);
        const ended = clock.now();
        const began = claimed.get(task.uuid) ?? ended;
        claimed.delete(task.uuid);
        const attributes = { 'zun.task': task.uuid, 'zun.subject': task.subject, 'zun.attempt': task.attempt, 'zun.outcome': outcome };
        traces.add({ requestId: task.requestId, name: task.kind, began, ended, failed: outcome !== 'succeeded', attributes });
      },
    },
    outbound(service) {
      const observe = observers.outbound(service);
      return (operation) => {
        const ended = observe(operation);
        const [began, requestId] = [clock.now(), scope.requestId()];
        return (outcome) => {
          ended(outcome);
          const attributes = { 'peer.service': service, 'zun.outcome': outcome };
          const failed = outcome !== 'ok';
          traces.add({ requestId, name: `${service} ${operation}`, began, ended: clock.now(), failed, attributes });
        };
      };
    },
  };
}
