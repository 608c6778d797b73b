import type { LocalDirectory, LocalProject, LocalUser, Role } from './local-directory.ts';
import { localRegion, type ServiceUrls, serviceCatalog } from './service-catalog.ts';

/** One thing as Keystone shows it. */
export type IdentityDocument = { id: string; name?: string; links: { self: string } } & Record<string, unknown>;

/** Everything that the local identity knows, as Keystone shows it, by the name of the collection. */
export function directoryDocuments(directory: LocalDirectory, urls: ServiceUrls) {
  const links = (collection: string, id: string) => ({ self: `${urls.identity}/${collection}/${id}` });
  const { domain } = directory;
  const services = serviceCatalog(urls);
  return {
    domains: [{ ...domain, description: 'The default domain', enabled: true, tags: [], options: {}, links: links('domains', domain.id) }],
    projects: directory.projects.map((project) => projectDocument(project, domain.id, links('projects', project.id))),
    users: directory.users.map((user) => userDocument(user, domain.id, links('users', user.id))),
    roles: directory.roles.map((role) => roleDocument(role, links('roles', role.id))),
    services: services.map(({ id, type, name }) => ({ id, type, name, description: '', enabled: true, links: links('services', id) })),
    endpoints: services.flatMap((service) =>
      service.endpoints.map((endpoint) => ({ ...endpoint, service_id: service.id, enabled: true, links: links('endpoints', endpoint.id) })),
    ),
    regions: [{ id: localRegion, description: '', parent_region_id: null, links: links('regions', localRegion) }],
  } satisfies Record<string, IdentityDocument[]>;
}

function projectDocument({ id, name, description }: LocalProject, domainId: string, links: { self: string }) {
  return { id, name, description, domain_id: domainId, parent_id: domainId, enabled: true, is_domain: false, tags: [], options: {}, links };
}

function userDocument({ id, name, defaultProjectId }: LocalUser, domainId: string, links: { self: string }) {
  return {
    id,
    name,
    domain_id: domainId,
    default_project_id: defaultProjectId,
    enabled: true,
    password_expires_at: null,
    options: {},
    links,
  };
}

function roleDocument({ id, name }: Role, links: { self: string }) {
  return { id, name, domain_id: null, description: null, options: {}, links };
}
