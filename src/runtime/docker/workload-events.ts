import { createInterface } from 'node:readline';
import type { RuntimeEvent, StreamHappening } from '../container-runtime.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import type { EngineClient } from './engine-client.ts';
import { transportFault } from './transport-fault.ts';
import { containerLabel } from './workload-name.ts';

/** What this adapter reads of a line of `GET /events`. */
interface EngineEvent {
  Action?: string;
  Actor?: { Attributes?: Record<string, string> };
  time?: number;
  timeNano?: number;
}

/** Events of Zun's containers until the signal aborts (then it ends) or the connection is lost (then it throws). */
export async function* workloadEvents(
  engine: EngineClient,
  signal: AbortSignal,
  told?: (happening: StreamHappening) => void,
): AsyncGenerator<RuntimeEvent> {
  try {
    // Podman 4.3 never matches a label without a value; each event is looked at anyway.
    const label = (await engine.kind(signal)) === 'podman' ? {} : { label: [containerLabel] };
    const filters = JSON.stringify({ type: ['container'], ...label });
    const { body } = await engine.stream({ method: 'GET', path: '/events', query: { filters }, silenceMs: 0, signal });
    told?.('connected');
    told?.('opened');
    // readline does not hand on the stream's error; without this it would end as if the engine had finished.
    let lost: unknown = new RuntimeFault('unreachable', 'The container engine closed the event stream.');
    body.on('error', (error) => {
      lost = error;
    });
    try {
      for await (const line of createInterface({ input: body })) {
        const event = runtimeEvent(line);
        if (event !== null) yield event;
      }
    } finally {
      body.destroy();
    }
    throw lost;
  } catch (error) {
    if (signal.aborted) return;
    throw transportFault(error, signal);
  }
}

/** `null` for a line that is no event of a Zun container. */
export function runtimeEvent(line: string): RuntimeEvent | null {
  if (line.trim() === '') return null;
  const event = JSON.parse(line) as EngineEvent;
  const uuid = event.Actor?.Attributes?.[containerLabel];
  if (uuid === undefined || event.Action === undefined) return null;
  const at = event.timeNano === undefined ? (event.time ?? 0) * 1000 : Math.floor(event.timeNano / 1e6);
  return { uuid, action: dockerAction(event.Action), at };
}

/** Podman's words where they differ. Docker puts details after a colon (`health_status: healthy`), which an inspection tells better. */
function dockerAction(action: string): string {
  const name = action.split(':', 1)[0] ?? action;
  return name === 'remove' ? 'destroy' : name;
}
