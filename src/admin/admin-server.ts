import Fastify, { type FastifyInstance } from 'fastify';
import type { Clock } from '../telemetry/clock.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type DependencyCheck, readiness } from './readiness.ts';

export interface AdminServerOptions {
  /** By the name that `/readyz` tells: `database`, `engine`, `identity`. */
  checks: Record<string, DependencyCheck>;
  metrics: Metrics;
  clock: Clock;
}

/**
 * For the operator's machinery, on a port that users do not reach: `/healthz` (this process runs), `/readyz` (what it needs answers;
 * 503 otherwise) and `/metrics`. `/readyz?exclude=engine`, as often as wanted, leaves out what the asker can do without, as Kubernetes' own does.
 * Without authentication, and without anything that changes. Not yet listening.
 */
export function adminServer({ checks, metrics, clock }: AdminServerOptions): FastifyInstance {
  const server = Fastify({ bodyLimit: 1024, requestTimeout: 10_000, forceCloseConnections: true });
  server.get('/healthz', () => ({ status: 'alive' }));
  server.get<{ Querystring: { exclude?: string | string[] } }>('/readyz', async ({ query }, reply) => {
    const excluded = [query.exclude ?? []].flat();
    const unknown = excluded.find((name) => !Object.hasOwn(checks, name));
    if (unknown !== undefined) {
      const words = `exclude is '${unknown}', which this program does not need; it needs ${Object.keys(checks).join(', ')}`;
      return reply.code(400).send({ error: words });
    }
    const asked = Object.fromEntries(Object.entries(checks).filter(([name]) => !excluded.includes(name)));
    const answer = await readiness(asked, clock);
    return reply.code(answer.ready ? 200 : 503).send(answer);
  });
  server.get('/metrics', async (_request, reply) => reply.header('content-type', metrics.contentType).send(await metrics.text()));
  return server;
}
