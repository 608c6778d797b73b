import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Ids } from '../telemetry/ids.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { RequestScope } from '../telemetry/request-scope.ts';
import type { AnsweredRequest } from './answered-request.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { EdgeError } from './edge-error.ts';
import { errorReply } from './error-document.ts';
import type { Reply } from './operation.ts';
import type { Exchange, PipelineStep } from './pipeline/exchange.ts';
import { requestPath } from './request-path.ts';

export interface ServerOptions {
  steps: PipelineStep[];
  ids: Ids;
  logger: Logger;
  /** Overrides what links are built from; behind a proxy set it, since links are else made of `Host` alone. */
  publicUrl: string | null;
  /** Longest time a client may take for its request, in milliseconds, and for the headers of it. */
  requestTimeout: number;
  headersTimeout: number;
  /** The seam for metrics; may not throw. */
  onAnswered?: ((answered: AnsweredRequest) => void) | undefined;
  /** Each request runs in it. */
  scope?: RequestScope | undefined;
}

/** Of all headers of a request and its first line: several times the longest token. More is answered 431. */
const maximumHeaderBytes = 16 * 1024;

/** The HTTP edge: Fastify carries bytes, the pipeline decides. */
export function apiServer(options: ServerOptions): FastifyInstance {
  const server = Fastify({
    requestTimeout: options.requestTimeout,
    // A client that reads nothing of its answer, either.
    connectionTimeout: options.requestTimeout,
    http: {
      maxHeaderSize: maximumHeaderBytes,
      headersTimeout: options.headersTimeout,
      connectionsCheckingInterval: Math.min(5_000, options.headersTimeout),
    },
    clientErrorHandler: answerBrokenRequest,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 4096 },
    frameworkErrors: (error, _request, reply) => send(reply, failure(options, new EdgeError(error.statusCode ?? 400, error.message), null)),
  });
  server.removeAllContentTypeParsers();
  // The pipeline reads it, when it knows whose it is.
  server.addContentTypeParser('*', (_request, body, done) => done(null, body));
  server.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const status = error.statusCode;
    send(reply, failure(options, status && status < 500 ? new EdgeError(status, error.message) : error, null));
  });
  const exchanges = new WeakMap<FastifyRequest, Exchange>();
  const handler = (request: FastifyRequest, reply: FastifyReply) => {
    const exchange = exchangeOf(options, request);
    if (!exchange) return send(reply, failure(options, new EdgeError(400, 'The percent encoding of the path is broken.'), null));
    exchanges.set(request, exchange);
    const served = () => serve(options, exchange, reply);
    return options.scope ? options.scope.run(exchange, served) : served();
  };
  server.route({ method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'], url: '*', handler });
  // Other methods: the API refuses them in its own words.
  server.setNotFoundHandler(handler);
  server.addHook('onResponse', (request, reply, done) => {
    tell(options, request, reply, exchanges.get(request));
    done();
  });
  return server;
}

/** To metrics and log: what was asked, by whom, and how it was answered. Of the path not the query, which clients fill with anything. */
function tell(options: ServerOptions, { method }: FastifyRequest, reply: FastifyReply, exchange: Exchange | undefined): void {
  const answered: AnsweredRequest = {
    method,
    route: exchange?.endpoint?.row.path ?? null,
    status: reply.statusCode,
    milliseconds: Math.round(reply.elapsedTime * 10) / 10,
    requestId: exchange?.requestId || null,
  };
  options.onAnswered?.(answered);
  const { route, status, milliseconds, requestId } = answered;
  const path = exchange && `/${exchange.segments.join('/')}`;
  const by = exchange?.context && { user_id: exchange.context.userId, project_id: exchange.context.projectId };
  options.logger.info({ request_id: requestId, method, path, route, status, ms: milliseconds, ...by }, 'request');
}

async function serve(options: ServerOptions, exchange: Exchange, reply: FastifyReply): Promise<FastifyReply> {
  try {
    for (const step of options.steps) {
      const answer = await step(exchange);
      if (answer) return send(reply, answer, exchange.replyHeaders);
    }
    throw new EdgeError(404, '');
  } catch (error) {
    return send(reply, failure(options, error, exchange), exchange.replyHeaders);
  }
}

function exchangeOf(options: ServerOptions, request: FastifyRequest): Exchange | null {
  const target = request.raw.url ?? '/';
  const mark = target.indexOf('?');
  const path = requestPath(mark < 0 ? target : target.slice(0, mark));
  if (!path) return null;
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name] = Array.isArray(value) ? value.join(',') : value;
  return {
    method: request.method,
    ...path,
    rawQuery: mark < 0 ? '' : target.slice(mark + 1),
    headers,
    body: request.body instanceof Readable ? request.body : null,
    rawBody: Buffer.alloc(0),
    baseUrl: options.publicUrl ?? `http://${headers.host ?? 'localhost'}`,
    replyHeaders: {},
    requestId: '',
    context: null,
    version: 1,
    match: null,
    endpoint: null,
    query: {},
    checkedParams: {},
    params: {},
  };
}

function failure(options: ServerOptions, error: unknown, exchange: Exchange | null): Reply {
  const { status, body, headers, correlationId } = errorReply(error, exchange?.headers.accept, options.ids.uuid);
  if (correlationId) {
    options.logger.error({ err: error, correlationId, method: exchange?.method, path: exchange?.segments.join('/') }, 'request failed');
  }
  return { status, body, headers };
}

function send(reply: FastifyReply, answer: Reply, extra: Record<string, string> = {}): FastifyReply {
  reply.code(answer.status).headers(extra);
  if (answer.headers) reply.headers(answer.headers);
  if (answer.status === 204 || reply.request.method === 'OPTIONS') return reply.send();
  if (answer.headers?.['content-type']) return reply.send(answer.body);
  // As bytes: to text Fastify adds a charset, which JSON does not have.
  return reply.header('content-type', 'application/json').send(Buffer.from(JSON.stringify(answer.body ?? null)));
}
