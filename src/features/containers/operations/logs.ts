import type { Operation } from '../../../api/operation.ts';
import { booleanFromString } from '../../../rules/boolean-from-string.ts';
import { requireState } from '../../../rules/valid-states.ts';
import type { LogOptions } from '../../../runtime/container-runtime.ts';
import type { ContainerServices } from '../container-services.ts';
import { loadAuthorized } from '../load-container.ts';
import { logsSince } from '../logs-since.ts';
import { outputText } from '../output-text.ts';
import { askRuntime } from '../runtime-refusal.ts';

/** What a container has written, as one string. Origin: containers.py (logs), zun/container/docker/driver.py (show_logs). */
export function logs(services: ContainerServices): Operation {
  return {
    route: 'GET /v1/containers/{container_ident}/logs',
    async handle(request) {
      const { container } = await loadAuthorized(services, request, 'container:logs');
      requireState('logs', container);
      const options = logOptions(request.params);
      const bytes = await askRuntime(services, container, (runtime, signal) => runtime.logs(container.uuid, options, signal));
      return { status: 200, body: outputText(bytes) };
    },
  };
}

function logOptions(params: Record<string, unknown>): LogOptions {
  const flag = (name: string, fallback: boolean) =>
    booleanFromString((params[name] as string | boolean | undefined) ?? fallback, 'stdout, stderr and timestamps');
  return {
    stdout: flag('stdout', true),
    stderr: flag('stderr', true),
    timestamps: flag('timestamps', false),
    tail: tailOf(params.tail),
    since: logsSince(params.since),
  };
}

/** A number of lines; everything for anything else, as in the original and in the engine. */
function tailOf(value: unknown): number | 'all' {
  const text = String(value ?? 'all').trim();
  return /^\+?\d{1,15}$/.test(text) ? Number(text) : 'all';
}
