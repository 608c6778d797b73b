import type { FastifyInstance } from 'fastify';
import { caller, forbidden, isAdmin } from './caller.ts';
import { directoryDocuments, type IdentityDocument } from './directory-documents.ts';
import { IdentityError } from './identity-error.ts';
import type { LocalIdentity, TokenHolder } from './local-identity.ts';
import type { ServiceUrls } from './service-catalog.ts';

/**
 * Adds the lists and the single things: the admin sees all, others their own project, user and domain.
 * Nothing can be changed here: users and projects of the local identity are fixed.
 */
export function addDirectoryRoutes(app: FastifyInstance, identity: LocalIdentity, urls: ServiceUrls): void {
  const documents = directoryDocuments(identity.directory, urls);

  for (const [name, rows] of Object.entries(documents) as [string, IdentityDocument[]][]) {
    const one = name.slice(0, -1);

    app.get(`/v3/${name}`, (request) => {
      if (!isAdmin(caller(request, identity))) throw forbidden(`identity:list_${name}`);
      return { [name]: filtered(rows, request.query as Record<string, unknown>), links: listLinks(`${urls.identity}/${name}`) };
    });

    app.get<{ Params: { id: string } }>(`/v3/${name}/:id`, (request) => {
      const asking = caller(request, identity);
      const { id } = request.params;
      if (!isAdmin(asking) && !ownIds(asking, identity.directory.domain.id).includes(id)) throw forbidden(`identity:get_${one}`);
      const row = rows.find((candidate) => candidate.id === id);
      if (!row) throw new IdentityError(404, `Could not find ${one}: ${id}.`);
      return { [one]: row };
    });
  }

  app.get<{ Params: { id: string } }>('/v3/users/:id/projects', (request) => {
    const asking = caller(request, identity);
    const { id } = request.params;
    if (!isAdmin(asking) && asking.user.id !== id) throw forbidden('identity:list_user_projects');
    const user = identity.directory.users.find((candidate) => candidate.id === id);
    if (!user) throw new IdentityError(404, `Could not find user: ${id}.`);
    const projects = documents.projects.filter((project) => user.roles.has(project.id));
    return {
      projects: filtered(projects, request.query as Record<string, unknown>),
      links: listLinks(`${urls.identity}/users/${id}/projects`),
    };
  });
}

function listLinks(self: string) {
  return { self, previous: null, next: null };
}

function ownIds({ user, project }: TokenHolder, domainId: string): string[] {
  return [user.id, domainId, ...(project ? [project.id] : [])];
}

/** As in Keystone a filter on a field that the rows don't have is ignored; every value is compared as text. */
function filtered(rows: readonly IdentityDocument[], query: Record<string, unknown>): IdentityDocument[] {
  const filters = Object.entries(query).filter(([field]) => rows.some((row) => field in row));
  return rows.filter((row) => filters.every(([field, value]) => String(row[field]).toLowerCase() === String(value).toLowerCase()));
}
