import type { FastifyInstance, FastifyRequest } from 'fastify';
import { caller, subject } from './caller.ts';
import { directoryDocuments } from './directory-documents.ts';
import type { LocalIdentity } from './local-identity.ts';
import { readLogin } from './login.ts';
import { type ServiceUrls, serviceCatalog } from './service-catalog.ts';
import { tokenDocument } from './token-document.ts';

/** Adds what a client asks about tokens, and what it may ask about itself with one: `/v3/auth/…`. */
export function addTokenRoutes(app: FastifyInstance, identity: LocalIdentity, urls: ServiceUrls): void {
  const documents = directoryDocuments(identity.directory, urls);
  const document = (holder: Parameters<typeof tokenDocument>[0], request: FastifyRequest) =>
    tokenDocument(holder, identity.directory, 'nocatalog' in (request.query as object) ? null : urls);
  const collection = (name: string, rows: unknown[]) => ({
    [name]: rows,
    links: { self: `${urls.identity}/auth/${name}`, previous: null, next: null },
  });

  app.post('/v3/auth/tokens', (request, reply) => {
    const { token, holder } = identity.issue(readLogin(request.body));
    return reply.code(201).header('x-subject-token', token).header('vary', 'X-Auth-Token').send(document(holder, request));
  });

  // Answers HEAD too: Fastify leaves the body out.
  app.get('/v3/auth/tokens', (request, reply) => {
    const holder = subject(request, identity, 'identity:validate_token');
    return reply
      .header('x-subject-token', request.headers['x-subject-token'])
      .header('vary', 'X-Auth-Token')
      .send(document(holder, request));
  });

  app.delete('/v3/auth/tokens', (request, reply) => {
    identity.revoke(subject(request, identity, 'identity:revoke_token'));
    return reply.code(204).send();
  });

  app.get('/v3/auth/catalog', (request) => {
    caller(request, identity);
    return collection('catalog', serviceCatalog(urls));
  });

  app.get('/v3/auth/projects', (request) => {
    const { user } = caller(request, identity);
    return collection(
      'projects',
      documents.projects.filter((project) => user.roles.has(project.id)),
    );
  });

  // No role is given on a domain or on the system: nobody can scope a token to them.
  app.get('/v3/auth/domains', (request) => {
    caller(request, identity);
    return collection('domains', []);
  });

  app.get('/v3/auth/system', (request) => {
    caller(request, identity);
    return collection('system', []);
  });
}
