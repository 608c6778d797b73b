import Fastify, { type FastifyInstance } from 'fastify';
import { addDirectoryRoutes } from './directory-routes.ts';
import { IdentityError, type IdentityStatus } from './identity-error.ts';
import type { LocalIdentity } from './local-identity.ts';
import type { ServiceUrls } from './service-catalog.ts';
import { addTokenRoutes } from './token-routes.ts';
import { versionDocument } from './version-document.ts';

/** The HTTP side of the local identity: the part of Keystone's v3 API that clients of other services ask. Not yet listening. */
export function identityServer(identity: LocalIdentity, urls: ServiceUrls): FastifyInstance {
  const app = Fastify({
    routerOptions: { ignoreTrailingSlash: true },
    bodyLimit: 64 * 1024,
    requestTimeout: 30_000,
    forceCloseConnections: true,
  });

  app.setErrorHandler((error, _request, reply) => {
    const refusal = asRefusal(error);
    if (refusal === null) throw error;
    if (refusal.status === 401) reply.header('www-authenticate', `Keystone uri="${urls.identity.replace(/\/v3$/, '')}"`);
    return reply.code(refusal.status).header('vary', 'X-Auth-Token').send(refusal.document());
  });
  app.setNotFoundHandler((request) => {
    throw new IdentityError(404, `The local identity does not know ${request.method} ${request.url.split('?')[0]}.`);
  });

  // Keystone offers its versions with the status 300.
  app.get('/', (_request, reply) => reply.code(300).send({ versions: { values: [versionDocument(urls.identity)] } }));
  app.get('/v3', () => ({ version: versionDocument(urls.identity) }));
  addTokenRoutes(app, identity, urls);
  addDirectoryRoutes(app, identity, urls);
  return app;
}

/** A refusal as it is; what Fastify itself refuses (a body that is no JSON, too long, of another type) as one; `null` for a fault of ours. */
function asRefusal(error: unknown): IdentityError | null {
  if (error instanceof IdentityError) return error;
  const { statusCode, message } = error as { statusCode?: number; message?: string };
  if (statusCode === undefined || statusCode < 400 || statusCode >= 500) return null;
  const status: IdentityStatus = statusCode === 413 ? 413 : 400;
  return new IdentityError(status, message ?? '');
}
