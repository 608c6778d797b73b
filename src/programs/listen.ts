import type { FastifyInstance } from 'fastify';
import { closeServer } from './close-server.ts';
import type { ProgramBase } from './program-base.ts';

/** Has a server listen until the program ends. `hint` is what to do about a port in use, a sentence. Throws in words for the operator. */
export async function listen(
  { cleanup, clock }: ProgramBase,
  server: FastifyInstance,
  { host, port, what, hint }: { host: string; port: number; what: string; hint: string },
): Promise<void> {
  cleanup.add(() => closeServer(server, clock));
  await orPortInUse(server.listen({ host, port }), { port, what, hint });
}

/** The same, but a port in use is told in words for the operator: whose it was to be, and what to do, `hint`, a sentence. */
export async function orPortInUse<T>(
  listening: Promise<T>,
  { port, what, hint }: { port: number; what: string; hint: string },
): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} (${what}) is in use.\n${hint}`, { cause: error });
  }
}
