import type { LocalDirectory } from './local-directory.ts';
import type { TokenHolder } from './local-identity.ts';
import { type ServiceUrls, serviceCatalog } from './service-catalog.ts';

/** Keystone's description of a token; with `urls` it holds the catalogue, which an unscoped token never has. */
export function tokenDocument({ claims, user, project, roles }: TokenHolder, { domain }: LocalDirectory, urls: ServiceUrls | null) {
  const base = {
    methods: claims.methods,
    user: { domain, id: user.id, name: user.name, password_expires_at: null },
    audit_ids: [claims.auditId],
    expires_at: keystoneTime(claims.expiresAt),
    issued_at: keystoneTime(claims.issuedAt),
  };
  if (!project) return { token: base };
  const scoped = { ...base, project: { domain, id: project.id, name: project.name }, is_domain: false, roles };
  return { token: urls ? { ...scoped, catalog: serviceCatalog(urls) } : scoped };
}

/** Keystone writes six digits of a second. */
const keystoneTime = (milliseconds: number) => new Date(milliseconds).toISOString().replace('Z', '000Z');
