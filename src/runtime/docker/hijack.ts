import { Agent, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { RuntimeFault } from '../runtime-fault.ts';
import { engineFault } from './engine-fault.ts';
import type { EngineTarget } from './engine-target.ts';

export interface HijackRequest {
  method: string;
  /** With the version prefix and the query. */
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
  /** Ends the wait for the connection; what was handed over it leaves alone. */
  signal: AbortSignal | undefined;
  /** Longest silence before the answer, in milliseconds; 0 = none. */
  silenceMs: number;
}

/**
 * Asks for a connection of raw bytes, `Upgrade: tcp`, on which the engine then speaks for a process. The connection is paused, and errors of it
 * crash nothing. Throws a fault for a refusal, and the transport's own error where no answer comes. undici's `upgrade` takes no body.
 */
export function hijack({ origin, socketPath }: EngineTarget, wanted: HijackRequest): Promise<Duplex> {
  const { hostname, port } = new URL(origin);
  const way = socketPath === null ? { hostname: hostname.replace(/^\[|\]$/g, ''), port } : { socketPath };
  return new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false });
    const { method, path, signal, body } = wanted;
    const headers = { ...wanted.headers, connection: 'Upgrade', upgrade: 'tcp', 'content-length': String(body?.length ?? 0) };
    const call = request({ ...way, agent, method, path, headers });
    const abort = () => call.destroy(new Error('The caller no longer waits.'));
    const settled = () => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    if (wanted.silenceMs > 0)
      call.setTimeout(wanted.silenceMs, () => call.destroy(new RuntimeFault('timeout', 'The engine did not answer in time.')));
    call.on('error', (error) => {
      settled();
      reject(error);
    });
    call.on('response', (answer) => {
      buffer(answer)
        .then((said) => reject(engineFault(answer.statusCode ?? 0, said)), reject)
        .finally(settled);
    });
    call.on('upgrade', (_answer, socket, head) => {
      settled();
      socket.setTimeout(0);
      socket.on('error', () => {});
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    call.end(body);
  });
}
