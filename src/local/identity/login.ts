import { IdentityError } from './identity-error.ts';

/** By id, or by name in a domain. */
export type Reference = { id: string } | { name: string; domain: { id: string } | { name: string } };

/** How the caller proves who they are. */
export type Proof = { method: 'password'; user: Reference; password: string } | { method: 'token'; token: string };

/** A body of `POST /v3/auth/tokens`, read. */
export interface Login {
  proof: Proof;
  /** `default`: nothing was asked for, which means the user's own project. `refused`: a scope that nobody here has a role on. */
  scope: { project: Reference } | 'unscoped' | 'default' | 'refused';
}

/** Reads the body of a login. Throws `IdentityError` 400 with the field and what is expected there, 401 for a method that is not offered. */
export function readLogin(body: unknown): Login {
  const auth = object(body, 'auth');
  const identity = object(auth, 'identity', 'auth');
  const { methods } = identity;
  if (!Array.isArray(methods) || methods.length === 0)
    throw expected('auth.identity.methods', 'a list with "password" or "token"', methods);
  return { proof: readProof(methods, identity), scope: readScope(auth) };
}

function readProof(methods: unknown[], identity: Fields): Proof {
  const [method] = methods;
  if (methods.length === 1 && method === 'password') {
    const user = object(object(identity, 'password', 'auth.identity'), 'user', 'auth.identity.password');
    const at = 'auth.identity.password.user';
    return { method, user: reference(user, at), password: string(user, 'password', at) };
  }
  if (methods.length === 1 && method === 'token') {
    return { method, token: string(object(identity, 'token', 'auth.identity'), 'id', 'auth.identity.token') };
  }
  throw new IdentityError(
    401,
    `Attempted to authenticate with an unsupported method: ${methods.join(', ')}; the local identity knows password and token.`,
  );
}

function readScope(auth: Fields): Login['scope'] {
  const { scope } = auth;
  if (scope === undefined || scope === null) return 'default';
  if (scope === 'unscoped') return scope;
  const wanted = object(auth, 'scope', 'auth');
  if ('unscoped' in wanted) return 'unscoped';
  if ('project' in wanted) return { project: reference(object(wanted, 'project', 'auth.scope'), 'auth.scope.project') };
  if ('domain' in wanted || 'system' in wanted || 'OS-TRUST:trust' in wanted) return 'refused';
  throw expected('auth.scope', 'an object with "project" or "unscoped"', scope);
}

function reference(fields: Fields, at: string): Reference {
  if (fields.id !== undefined) return { id: string(fields, 'id', at) };
  const name = string(fields, 'name', at);
  const domain = object(fields, 'domain', at);
  return {
    name,
    domain: domain.id === undefined ? { name: string(domain, 'name', `${at}.domain`) } : { id: string(domain, 'id', `${at}.domain`) },
  };
}

type Fields = Record<string, unknown>;

function object(parent: unknown, field: string, at = ''): Fields {
  const value = parent !== null && typeof parent === 'object' ? (parent as Fields)[field] : undefined;
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Fields;
  throw expected(at === '' ? field : `${at}.${field}`, 'an object', value);
}

function string(parent: Fields, field: string, at: string): string {
  const value = parent[field];
  if (typeof value === 'string') return value;
  throw expected(`${at}.${field}`, 'a string', value);
}

/** A wrong value is shown by its type only: it may be a password in the wrong place. */
function expected(field: string, what: string, value: unknown): IdentityError {
  const given =
    value === undefined ? 'nothing' : value === null ? 'null' : Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
  return new IdentityError(400, `Invalid input for field '${field}': expected ${what}, got ${given}.`);
}
