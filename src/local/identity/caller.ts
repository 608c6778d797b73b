import type { FastifyRequest } from 'fastify';
import { IdentityError, unauthorized } from './identity-error.ts';
import type { LocalIdentity, TokenHolder } from './local-identity.ts';

/** Who asks, by `X-Auth-Token`. Throws `IdentityError` 401. */
export function caller(request: FastifyRequest, identity: LocalIdentity): TokenHolder {
  const holder = identity.holder(header(request, 'x-auth-token'));
  if (!holder) throw unauthorized();
  return holder;
}

/** Whom `X-Subject-Token` speaks for; the admin may ask about everybody, others about themselves. Throws `IdentityError` 401, 403, 404. */
export function subject(request: FastifyRequest, identity: LocalIdentity, rule: string): TokenHolder {
  const asking = caller(request, identity);
  const holder = identity.holder(header(request, 'x-subject-token'));
  if (!holder) throw new IdentityError(404, 'Could not find token: it is unknown, expired or revoked.');
  if (!isAdmin(asking) && asking.user.id !== holder.user.id) throw forbidden(rule);
  return holder;
}

export function isAdmin(holder: TokenHolder): boolean {
  return holder.roles.some((role) => role.name === 'admin');
}

/** Keystone names the rule, such as `identity:list_projects`. */
export function forbidden(rule: string): IdentityError {
  return new IdentityError(403, `You are not authorized to perform the requested action: ${rule}.`);
}

function header(request: FastifyRequest, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}
