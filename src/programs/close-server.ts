import type { FastifyInstance } from 'fastify';
import type { Clock } from '../telemetry/clock.ts';

/** So long a request that is under way may take to its answer, in milliseconds. */
const graceMilliseconds = 2_000;

/** Takes no more requests, answers those under way, and cuts the connections of those that take too long. */
export async function closeServer(server: FastifyInstance, clock: Clock): Promise<void> {
  const closed = new AbortController();
  const closing = server.close().then(() => closed.abort());
  await Promise.race([closing, clock.sleep(graceMilliseconds, closed.signal)]);
  server.server.closeAllConnections();
  await closing;
}
